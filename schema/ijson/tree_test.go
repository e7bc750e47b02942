package ijson

import (
	"context"
	"math/rand/v2"
	"strconv"
	"testing"
)

// TestArrange: a text is arranged as its value is written.
func TestArrange(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		text := randomJSON(random, 4)
		value, err := Decode(context.Background(), text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		want, err := Encode(context.Background(), value)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got, err := arrange(context.Background(), text); err != nil || string(got) != string(want) {
			t.Fatalf("arrange(%s) = %s, %v; want %s", text, got, err, want)
		}
	}
}

// randomJSON returns a value of a depth, in an object no name twice.
func randomJSON(random *rand.Rand, depth int) []byte {
	scalars := []string{"true", "false", "null", "0", "-1.50e+3", "12345678901234567890", "0.1", `""`, `"a b"`, `"\u00e4\n\"\\/"`, `"\ud83d\ude00"`, `"é ￿"`}
	if depth == 0 || random.IntN(4) == 0 {
		return []byte(scalars[random.IntN(len(scalars))])
	}
	names := []string{`"b"`, `"a"`, `""`, `"\u0062c"`, `"ab"`, `"\ufb33"`, `"😀"`, `"\n"`, `"B"`}
	random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	list := random.IntN(2) == 0
	out := []byte{"{["[map[bool]int{true: 1}[list]]}
	for i := range random.IntN(len(names)) {
		if i > 0 {
			out = append(out, " , "...)
		}
		if !list {
			out = append(append(out, names[i]...), " : "...)
		}
		out = append(out, randomJSON(random, depth-1)...)
	}
	return append(out, map[bool]byte{true: ']', false: '}'}[list])
}

// TestArrangeTwice: a name that stands twice in an object is an error, in any spelling.
func TestArrangeTwice(t *testing.T) {
	for _, text := range []string{`{"a":1,"b":2,"a":3}`, `[{"a":1,"\u0061":2}]`} {
		if got, err := arrange(context.Background(), []byte(text)); err != errTwice {
			t.Errorf("arrange(%s) = %s, %v; want %v", text, got, err, errTwice)
		}
	}
	if _, err := arrange(context.Background(), []byte(strconv.Quote("a"))); err != nil {
		t.Error(err)
	}
}
