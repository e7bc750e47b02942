package tokens

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// estimates are all that stand for a family's tokenizer.
var estimates = []*estimate{claudeEstimate, claudeNewEstimate, geminiEstimate, kimiEstimate, defaultEstimate}

// TestEstimateLaws: for every text the value is positive and under the bound, and the bound under the bytes.
func TestEstimateLaws(t *testing.T) {
	texts := append([]string{"ﬃ", "word", strings.Repeat("日本語テキスト", 50), strings.Repeat("x", 5000), strings.Repeat("9f8a77b2-", 300)}, scraps...)
	for _, e := range estimates {
		if got := e.size(""); got != (Size{}) {
			t.Errorf("%s of nothing = %v", e.name, got)
		}
		for _, text := range texts {
			s := e.size(text)
			if s.Value < 1 || s.Value > s.Bound || s.Bound > len(text) {
				t.Errorf("%s of %.20q = %v, %d bytes", e.name, text, s, len(text))
			}
			if e.Count(text) != s.Value || e.Bound(text) != s.Bound {
				t.Errorf("%s of %.20q: Count and Bound differ from the size", e.name, text)
			}
		}
	}
}

// TestEstimateOfEachKind: text of any one kind counts something like o200k counts it, though the fit saw little of the kind.
func TestEstimateOfEachKind(t *testing.T) {
	texts := [kinds]string{
		lowWord: "the quick brown fox jumps over the lazy dog ", capWord: "Alice Smith Visits Paris ", upWord: "HTTP readAll JSON ", digitRun: "12345 ",
		signRun: "(){} += -> ", blankRun: "x        y   z ", lineRun: "a\n\n b\n", latin: "déjà été où naïve ", cyrillic: "мы решили оставить ",
		semitic: "قررنا الاحتفاظ ", indic: "हमने निर्णय लिया ", han: "我们决定继续使用数据库，", kana: "ひらがなとカタカナの", hangul: "우리는 결정했다 ", pictures: "😀🎉👍 ",
	}
	for k, text := range texts {
		text = strings.Repeat(text, 40)
		exact := O200k().Count(text)
		for _, e := range estimates {
			if got := e.Count(text); got < exact*2/3 || got > exact*4 {
				t.Errorf("%s of %s = %d, where o200k counts %d", e.name, KindName(k), got, exact)
			}
		}
	}
}

// TestScan: features add up, so that parts cut at the ends of pieces count as much as the whole.
func TestScan(t *testing.T) {
	first, second := "A sentence, with 12 words.\n", "    return x_y + SomeName // 日本 😀\n"
	a, b, both := Scan(first), Scan(second), Scan(first+second)
	for k := range both {
		for i := range both[k] {
			if a[k][i]+b[k][i] != both[k][i] {
				t.Errorf("feature %d of row %d: %v + %v is not %v", i, k, a[k][i], b[k][i], both[k][i])
			}
		}
	}
	total := 0.0
	for _, row := range both[:kinds] {
		total += row[byO200k]
	}
	if want := O200k().Count(first + second); int(total) != want {
		t.Errorf("the features have %v tokens of o200k, want %d", total, want)
	}
}

// TestScanRemembers: a piece's counts are the same when they come from memory, and no piece's are another's.
func TestScanRemembers(t *testing.T) {
	s := scanners.New().(*scanner)
	for token, rank := range o200k.load().ranks {
		if rank%97 != 0 {
			continue
		}
		want := s.merge(token)
		want[0] = 1
		for range 2 {
			if got := s.counts(token); got != want {
				t.Fatalf("counts(%q) = %v, want %v", token, got, want)
			}
		}
	}
}

// TestPlus: exact sizes add exactly; the bound of many estimates falls towards the share that no length takes away.
func TestPlus(t *testing.T) {
	if got, want := Fixed(3).Plus(Fixed(4)), Fixed(7); got != want {
		t.Errorf("Plus of exact sizes = %v, want %v", got, want)
	}
	one := claudeEstimate.size("Error: cannot read the file settings.json, because it is not there.\n")
	sum, n := Size{}, 400
	for range n {
		sum = sum.Plus(one)
	}
	if sum.Value != n*one.Value {
		t.Errorf("the value of %d texts = %d, want %d", n, sum.Value, n*one.Value)
	}
	single, many := float64(one.Bound)/float64(one.Value), float64(sum.Bound)/float64(sum.Value)
	if many >= single || many < 1+claudeEstimate.margins[lowWord] {
		t.Errorf("bound over value of one text is %.2f, of %d texts %.2f", single, n, many)
	}
	if math.IsNaN(many) {
		t.Error(fmt.Sprint("no number: ", sum))
	}
}
