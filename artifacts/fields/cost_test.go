package fields

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/storetest/canceltest"
)

// deep is a number in so many arrays.
func deep(n int) string { return strings.Repeat("[", n) + "1" + strings.Repeat("]", n) }

// wide is an array of so many small objects.
func wide(n int) string {
	return `[{"a":"aaaaaaaaaaaaaaaaaaaaaaaa","n":0}` + strings.Repeat(`,{"a":"aaaaaaaaaaaaaaaaaaaaaaaa","n":1}`, n-1) + `]`
}

// costlyPaths ask for more than can be given, each in its way.
var costlyPaths = []struct{ name, document, path string }{
	{"product of selectors", deep(7), "$" + strings.Repeat("[*,*,*,*,*,*,*,*,*,*]", 7)},
	{"product of descents", deep(200), "$" + strings.Repeat("..*", 20)},
	{"product of slices", deep(12), "$" + strings.Repeat("[::,::,::-1,::]", 12)},
	{"everything below everything", deep(400), "$..*..*..*"},
	{"descent in a filter", deep(9000), "$..[?@..a]"},
	{"count in a filter", deep(9000), "$..[?count(@..*) > 1]"},
	{"product in a filter", deep(40), "$..[?count(@" + strings.Repeat("[*,*,*,*,*]", 20) + ") > 1]"},
	{"filter in a filter", wide(5000), "$[?count($[?@.n > 0]) > 1]"},
	{"comparison of documents", `[` + wide(3000) + `,` + strings.Replace(wide(3000), `"n":1}]`, `"n":2}]`, 1) + `]`, "$[?@ == $[1]][?@ == $[0][1]]..[?$[0] == $[1]]"},
	{"many expressions", wide(50_000), "$[?search(@.a, '(a*)*(a*)*(a*)*(a{0,200})b')]"},
	{"many numbers", "[0" + strings.Repeat(",0", 300_000) + "]", "$[*]"},
	{"expression too large", wide(2), `$[?search(@.a, '(a|b){0,999}(a|b){0,999}(a|b){0,999}b')]`},
}

// TestCostIsBounded: a path that would cost too much is refused, having taken little memory.
func TestCostIsBounded(t *testing.T) {
	for _, c := range costlyPaths {
		t.Run(c.name, func(t *testing.T) {
			s, err := Parse(c.path)
			if err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			w := newWalker(t.Context(), document(c.document))
			w.most = maxWork / 10 // the law is the same, and the test faster
			v, err := s.byPath(w)
			runtime.ReadMemStats(&after)
			if ctxmcp.CodeOf(err) != ctxmcp.CodeTooLarge {
				t.Errorf("Select = %v, %v, want too_large", v != nil, err)
			}
			const room = 256 << 20 // allocated in all, not held at a time
			if used := after.TotalAlloc - before.TotalAlloc; used > room {
				t.Errorf("%d MB were allocated, want at most %d", used>>20, room>>20)
			}
		})
	}
}

// TestProductTakesLittle: the product of selectors that once reached a gigabyte is refused within a few megabytes.
func TestProductTakesLittle(t *testing.T) {
	s, err := Parse(costlyPaths[0].path)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = s.Select(t.Context(), document(costlyPaths[0].document))
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 8<<20 || ctxmcp.CodeOf(err) != ctxmcp.CodeTooLarge {
		t.Errorf("Select = %v with %d KB, want too_large with less than 8 MB", err, used>>10)
	}
}

// TestNobodyWaits: a selection ends soon after its context, wherever it is.
func TestNobodyWaits(t *testing.T) {
	text := wide(3000)
	for _, path := range []string{"$[*].a", "$..a", "$[?@.n > 0].a", "$[?search(@.a, 'a+b')]", "nothing", "$[0:10000:2]", "$[?@ == $[0]]"} {
		t.Run(path, func(t *testing.T) {
			s, err := Parse(path)
			if err != nil {
				t.Fatal(err)
			}
			canceltest.Law{Bytes: len(text), Every: maxRead, After: 4, Work: func(ctx context.Context) error {
				_, err := s.Select(ctx, document(text))
				return err
			}}.Check(t)
		})
	}
}

// TestManyValues: a tree is refused before it holds more values than it may.
func TestManyValues(t *testing.T) {
	m := &meter{ctx: t.Context(), most: maxWork}
	if _, err := newTree(m, []byte("[0"+strings.Repeat(",0", maxValues)+"]")); ctxmcp.CodeOf(err) != ctxmcp.CodeTooLarge {
		t.Errorf("newTree = %v, want too_large", err)
	}
}

// TestMatchOfNothing: a missing member, or one that is no text, matches no expression.
func TestMatchOfNothing(t *testing.T) {
	const text = `[{"c":"aab"},{"d":1},{"c":7},{"c":null},"s",{"c":["b"]}]`
	for path, want := range map[string]string{
		`$..[?match(@.c,'(a*)*b')]`:      `[{"c":"aab"}]`,
		`$[?search(@.c,'b')]`:            `[{"c":"aab"}]`,
		`$[?!match(@.c,'a.*')].d`:        `[1]`,
		`$[?match(@.c, @.missing)]`:      ``,
		`$[?match('x', $.missing)]`:      ``,
		`$[?match(@.c, '(')]`:            ``,
		`$[?match(@.c, 'b|a')]`:          ``,
		`$[?length(@.missing) == 1]`:     ``,
		`$[?length(@.c) == 3]`:           `[{"c":"aab"}]`,
		`$[?value(@..c) == 7]`:           `[{"c":7}]`,
		`$[?count(@.*) == 1].d`:          `[1]`,
		`$[?@.x <= @.y].d`:               `[1]`,
		`$[?@ == 's' || @.d >= 1.0e0].d`: `[1]`,
	} {
		s, err := Parse(path)
		if err != nil {
			t.Errorf("Parse(%s): %v", path, err)
			continue
		}
		v, err := s.Select(t.Context(), document(text))
		got := ""
		if v != nil {
			got = string(v.JSON)
		}
		if err != nil || got != want {
			t.Errorf("%s = %s, %v, want %s", path, got, err, want)
		}
	}
}

// TestLargeSelections: a selection within the limits succeeds, however large the document.
func TestLargeSelections(t *testing.T) {
	text := wide(9000)
	for path, want := range map[string]int{"$[*].n": 9000, "$..n": 9000, "$[?@.n == 1].n": 8999, "$[-10:].a": 10} {
		s, err := Parse(path)
		if err != nil {
			t.Fatal(err)
		}
		v, err := s.Select(t.Context(), func() io.Reader { return strings.NewReader(text) })
		if err != nil || strings.Count(string(v.JSON), ",")+1 != want {
			t.Errorf("%s: %v, want %d parts", path, err, want)
		}
	}
}

func ExampleSelector_Select() {
	s, err := Parse("$.items[?@.n > 1].url")
	if err != nil {
		panic(err)
	}
	v, err := s.Select(context.Background(), document(store))
	fmt.Println(string(v.JSON), v.Path, err)
	// Output: ["u2"] $['items'][2]['url'] <nil>
}
