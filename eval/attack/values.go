package attack

import (
	"fmt"
	"strings"
)

// fair returns a value that the argument is meant to have.
func (g *gen) fair(name string, s *schema) string {
	k, known := g.kindOf(name)
	switch {
	case known && k.fair != nil && (k.whole || s.Type != "array"):
		return k.fair(g)
	case s.Type == "array":
		n := 1 + g.r.IntN(2)
		return g.list(n, func() string { return g.fair(singular(name), s.items()) })
	case len(s.Enum) > 0:
		return quoted(pick(g, s.Enum))
	}
	switch s.Type {
	case "integer":
		return fmt.Sprint(1 + g.r.IntN(5000))
	case "number":
		return fmt.Sprintf("%.2f", g.r.Float64())
	case "boolean":
		return fmt.Sprint(g.chance(0.5))
	case "object":
		return g.object(s, nil)
	case "string":
		return quoted(pick(g, plainTexts))
	default:
		return g.plainJSON()
	}
}

// items returns the schema of the elements; where there is none, everything goes.
func (s *schema) items() *schema {
	if s.Items == nil {
		return &schema{}
	}
	return s.Items
}

// singular is the name of an element.
func singular(name string) string { return strings.TrimSuffix(name, "s") }

// foul returns a hostile value: mostly of the right type.
func (g *gen) foul(name string, s *schema) string {
	k, known := g.kindOf(name)
	switch p := g.r.Float64(); {
	case p < 0.06:
		return g.foulJSON()
	case known && p < 0.75 && (k.whole || s.Type != "array"):
		return k.foul(g)
	}
	switch s.Type {
	case "array":
		return g.foulList(name, s)
	case "object":
		return g.foulObject(s)
	case "integer", "number":
		return pick(g, foulNumbers)
	case "boolean":
		return pick(g, []string{"0", `"true"`, "null", "[true]"})
	case "string":
		return g.foulText()
	default:
		return g.foulJSON()
	}
}

// foulList returns thousands of fair elements, a few hostile ones, or a hostile one again and again.
func (g *gen) foulList(name string, s *schema) string {
	one := singular(name)
	switch p := g.r.Float64(); {
	case p < 0.35:
		return g.list(g.many(), func() string { return g.fair(one, s.items()) })
	case p < 0.80:
		return g.list(1+g.r.IntN(3), func() string { return g.foul(one, s.items()) })
	case p < 0.95:
		same := g.fair(one, s.items())
		if g.chance(0.5) {
			same = g.small(func() string { return g.foul(one, s.items()) })
		}
		return g.list(1+min(g.many(), g.max/max(len(same), 1)), func() string { return same })
	default:
		return "[]"
	}
}

// foulObject returns an object with hostile members, or with ones that nobody asked for.
func (g *gen) foulObject(s *schema) string {
	names := s.names()
	if len(names) > 0 && g.chance(0.7) {
		return g.object(s, map[string]bool{pick(g, names): true})
	}
	n := 0
	return "{" + strings.Trim(g.list(g.many(), func() string {
		n++
		return fmt.Sprintf(`"k%d":%d`, n, n)
	}), "[]") + "}"
}

// small makes a value until one is small enough to be repeated.
func (g *gen) small(make func() string) string {
	for range 5 {
		if v := make(); len(v) < 1<<10 {
			return v
		}
	}
	return "{}"
}

// list returns n elements.
func (g *gen) list(n int, element func() string) string {
	var b strings.Builder
	b.WriteByte('[')
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(element())
		if b.Len() > 2*g.max {
			break
		}
	}
	b.WriteByte(']')
	return b.String()
}

// foulNumbers are JSON numbers at and beyond the edges of types, and numbers as other languages write them.
var foulNumbers = []string{
	"0", "-0", "-1", "1", "2147483647", "-2147483648", "4294967296", "9223372036854775807", "-9223372036854775808",
	"9223372036854775808", "18446744073709551615", "1e18", "1e19", "1.5", "1e-7", "5e-324", "1e308", "-1e308", "1e309", "1e999", "-1e999",
	"1e2147483648", "0.1e1", "1E+2", strings.Repeat("9", 400), "0." + strings.Repeat("0", 400) + "1", `"7"`, `"NaN"`, `"Infinity"`, "NaN", "-Infinity", "0x10", "01", "1_000", "+1", ".5",
	"1000000", "100000000", "-1000000",
}

// foulJSON returns JSON of a form that readers get wrong, and text that only looks like it.
func (g *gen) foulJSON() string {
	n := 1 + g.size()/8
	switch g.r.IntN(16) {
	case 0:
		n = min(n, 9000)
		return strings.Repeat("[", n) + "1" + strings.Repeat("]", n)
	case 1:
		n = min(n, 9000)
		return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n)
	case 2:
		return g.list(n, func() string { return "1" })
	case 3:
		return g.list(n, func() string { return "{}" })
	case 4:
		return strings.Repeat("[", n) // nothing closes it
	case 5:
		return pick(g, foulNumbers)
	case 6:
		return pick(g, []string{`"\ud800"`, `"\udc00\ud800"`, "\"\xff\xfe\"", "\"\xed\xa0\x80\"", `"\u0000"`, "\"\x01\"", `"\x41"`, `"`, `'a'`, "", "undefined", "true false", "/* */1"})
	case 7:
		return `{"a":1,"a":2,"A":3,"__proto__":{"x":1},"constructor":null,"":0}`
	case 8:
		return g.nested()
	case 9:
		return g.rows(n / 8)
	case 10:
		return pick(g, []string{"null", "true", "[]", "{}", `""`, `[null]`, `{"":null}`, "[[]]"})
	case 11:
		return g.foulObject(&schema{})
	default:
		return g.foulText()
	}
}

// nested returns JSON in JSON in JSON; every layer doubles the escapes of the one in it.
func (g *gen) nested() string {
	text := `{"a":"b"}`
	for range 1 + g.r.IntN(14) {
		if len(text) > g.max {
			break
		}
		text = `{"json":` + quoted(text) + `}`
	}
	return text
}

// rows returns an array of objects, no two of which have the same keys.
func (g *gen) rows(n int) string {
	i := 0
	return g.list(n, func() string {
		i++
		return fmt.Sprintf(`{"id":%d,"key%d":"value %d","c%d":[%d,{"d":null}]}`, i, i, i, i%7, i)
	})
}

// plainJSON returns a likely answer of a tool.
func (g *gen) plainJSON() string {
	return pick(g, []string{
		`{"ok":true,"rows":[{"id":1,"name":"Ada"},{"id":2,"name":"Bob"}]}`, `"done"`, `[1,2,3]`, `{"to":"bob@example.com","text":"hello"}`,
		`{"path":"notes.txt"}`, `null`,
	})
}

var plainTexts = []string{
	"We deploy on Thursdays.", "The office of the project is in Lisbon.", "note", "search", "read", "mail", "a b c",
	"Where is the office, and who has the key?", "text/plain", "Write my notes and send them to Ada.",
}
