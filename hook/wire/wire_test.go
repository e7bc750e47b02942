package wire

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// TestParse: only a command line that says all takes the short way.
func TestParse(t *testing.T) {
	for _, tc := range []struct {
		line, env string
		want      Asked
		ok        bool
	}{
		{"hook codex --data-dir=/d", "", Asked{"codex", "/d"}, true},
		{"hook codex --data-dir=/d --user=ann --config=/c.yaml", "/other", Asked{"codex", "/d"}, true},
		{"hook codex", "/d", Asked{"codex", "/d"}, true},
		{"hook codex", "", Asked{"codex", ""}, false},
		{"hook codex --data-dir /d", "", Asked{}, false},
		{"hook codex --help", "/d", Asked{}, false},
		{"hook codex -h", "/d", Asked{}, false},
		{"hook --data-dir=/d codex", "", Asked{}, false},
		{"hook serve", "/d", Asked{}, false},
		{"hook stop", "/d", Asked{}, false},
		{"hook", "/d", Asked{}, false},
		{"stdio --data-dir=/d", "/d", Asked{}, false},
	} {
		got, ok := Parse(strings.Fields(tc.line), func(string) string { return tc.env })
		if ok != tc.ok || ok && got != tc.want {
			t.Errorf("Parse(%q) = %v, %v, want %v, %v", tc.line, got, ok, tc.want, tc.ok)
		}
	}
}

// TestRead refuses what is cut off, is no number or is too long, without taking room for it.
func TestRead(t *testing.T) {
	for _, text := range []string{"", "3", "3\nab", "x\nabc", "\nabc", "-1\n", "99999999999999999999\n", "67108865\n", "60000000\nshort"} {
		if fields, err := Read(strings.NewReader(text), 1); err == nil {
			t.Errorf("Read(%q) = %q", text, fields)
		}
	}
}

// FuzzWire: any fields that are written are read back.
func FuzzWire(f *testing.F) {
	f.Add([]byte("1"), []byte("codex"), []byte("{}\n"))
	f.Add([]byte{}, []byte("\n\n"), bytes.Repeat([]byte("x"), 200_000))
	f.Fuzz(func(t *testing.T, a, b, c []byte) {
		var text bytes.Buffer
		if err := Write(&text, a, b, c); err != nil {
			t.Fatal(err)
		}
		got, err := Read(&text, 3)
		if err != nil || !slices.EqualFunc(got, [][]byte{a, b, c}, bytes.Equal) || text.Len() > 0 {
			t.Errorf("Read = %q, %v, and %d bytes are left", got, err, text.Len())
		}
	})
}
