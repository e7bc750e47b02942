package connect

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// stretch is a value within a text, with the name that it has there.
type stretch struct {
	name       string
	begin, end int
	reference  string // that stands in its place; "": it stands there itself
}

var (
	header   = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]+:\s*[^/\\\s].*$`)                  // Name: value
	assigned = regexp.MustCompile(`^-{0,2}[A-Za-z_][\w.-]*=.+$`)                            // --name=value, NAME=value
	address  = regexp.MustCompile(`^[A-Za-z][\w+.:-]*://([^/?#\s]*@)?[^?#\s]*(\?[^#\s]*)?`) // with what stands before the host, and the query
)

// valuesIn returns the values that an argument holds, the narrowest first. A flag before it names the whole of it.
func valuesIn(argument, before string) []stretch {
	switch {
	case address.MatchString(argument):
		return addressed(argument)
	case header.MatchString(argument):
		return []stretch{behindSign(argument, ":")}
	case assigned.MatchString(argument):
		whole := behindSign(argument, "=")
		var all []stretch
		for _, inner := range valuesIn(argument[whole.begin:], whole.name) {
			inner.begin, inner.end = inner.begin+whole.begin, inner.end+whole.begin
			all = append(all, inner)
		}
		return append(all, whole)
	case strings.HasPrefix(argument, "-") || argument == "":
		return nil
	}
	name := "argument"
	if strings.HasPrefix(before, "-") && !strings.Contains(before, "=") {
		name = strings.TrimLeft(before, "-")
	}
	return []stretch{{name: cmp.Or(name, "argument"), end: len(argument)}}
}

// behindSign returns the text behind the first sign, named by the text before it.
func behindSign(text, sign string) stretch {
	name, value, _ := strings.Cut(text, sign)
	return stretch{name: strings.TrimLeft(name, "-"), begin: len(text) - len(strings.TrimLeft(value, " ")), end: len(text)}
}

// addressed returns the password and the values of the query of an address, as they are written there.
func addressed(text string) (all []stretch) {
	m := address.FindStringSubmatchIndex(text)
	if m == nil {
		return nil
	}
	if m[2] >= 0 {
		if user, password, has := strings.Cut(text[m[2]:m[3]-1], ":"); has && password != "" {
			all = append(all, stretch{name: "password", begin: m[2] + len(user) + 1, end: m[3] - 1})
		}
	}
	if m[4] < 0 {
		return all
	}
	at := m[4] + 1
	for part := range strings.SplitSeq(text[at:m[5]], "&") {
		if name, value, _ := strings.Cut(part, "="); value != "" {
			all = append(all, stretch{name: name, begin: at + len(name) + 1, end: at + len(part)})
		}
		at += len(part) + 1
	}
	return all
}

// secretsIn returns the secrets among the values of a text, none within another. put takes the text in which references stand in their place.
func secretsIn(of Secret, text string, values []stretch, is func(name, value string) bool, put func(string)) (all []Secret) {
	var taken []*stretch
	for _, v := range values {
		value := text[v.begin:v.end]
		within := slices.ContainsFunc(taken, func(t *stretch) bool { return t.begin < v.end && v.begin < t.end })
		if within || strings.Contains(value, "${") || !is(v.name, value) {
			continue
		}
		s := of
		if len(taken) > 0 {
			s.Name = fmt.Sprintf("%s.%d", of.Name, len(taken)+1)
		}
		taken = append(taken, &v)
		s.Value, s.refer = value, func(reference string) {
			v.reference = reference
			put(referring(text, taken))
		}
		all = append(all, s)
	}
	return all
}

// referring returns a text with the references of its stretches.
func referring(text string, all []*stretch) string {
	sorted := slices.SortedFunc(slices.Values(all), func(a, b *stretch) int { return b.begin - a.begin })
	for _, s := range sorted {
		if s.reference != "" {
			text = text[:s.begin] + s.reference + text[s.end:]
		}
	}
	return text
}

// outside returns the secrets of a server that stand in neither its env nor its headers: within its arguments, and in the query of its address. A password
// in the address stays there.
func outside(name string, server map[string]any, is func(name, value string) bool) (all []Secret) {
	before := ""
	args, _ := server["args"].([]any)
	for i, a := range args {
		text, _ := a.(string)
		all = append(all, secretsIn(Secret{Server: name, Part: "args", Name: fmt.Sprint(i + 1)}, text, valuesIn(text, before), is, func(changed string) { args[i] = changed })...)
		before = text
	}
	text, _ := server["url"].(string)
	query := slices.DeleteFunc(addressed(text), func(v stretch) bool { return v.begin < strings.Index(text, "?") })
	return append(all, secretsIn(Secret{Server: name, Part: "url", Name: "1"}, text, query, is, func(changed string) { server["url"] = changed })...)
}
