package language

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// Pattern is a regular expression about the wording of a text. It is compiled at its first use: a program that starts does
// not pay for the many that it may never ask.
type Pattern struct{ compiled func() *regexp.Regexp }

// NewPattern returns the pattern of an expression. Each %s in it stands for any entry of the list in its place, as Either
// writes it; without lists, a % stands for itself. The first use panics if the expression does not compile.
func NewPattern(expression string, lists ...*Set) *Pattern {
	return Deferred(func() string {
		if len(lists) == 0 {
			return expression
		}
		parts := make([]any, len(lists))
		for i, l := range lists {
			parts[i] = l.Either()
		}
		return fmt.Sprintf(expression, parts...)
	})
}

// Deferred returns the pattern of an expression that is put together at its first use.
func Deferred(expression func() string) *Pattern {
	return &Pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression()) })}
}

// MatchString reports whether the text holds a match.
func (p *Pattern) MatchString(text string) bool { return p.compiled().MatchString(text) }

// FindString returns the first match, or "".
func (p *Pattern) FindString(text string) string { return p.compiled().FindString(text) }

// FindStringIndex returns the first match as a pair of offsets, or nil.
func (p *Pattern) FindStringIndex(text string) []int { return p.compiled().FindStringIndex(text) }

// FindStringSubmatch returns the first match and its groups, or nil.
func (p *Pattern) FindStringSubmatch(text string) []string {
	return p.compiled().FindStringSubmatch(text)
}

// FindStringSubmatchIndex returns the first match and its groups as pairs of offsets, or nil.
func (p *Pattern) FindStringSubmatchIndex(text string) []int {
	return p.compiled().FindStringSubmatchIndex(text)
}

// FindAllString returns the first n matches; all where n is negative.
func (p *Pattern) FindAllString(text string, n int) []string {
	return p.compiled().FindAllString(text, n)
}

// FindAllStringIndex returns the first n matches as pairs of offsets; all where n is negative.
func (p *Pattern) FindAllStringIndex(text string, n int) [][]int {
	return p.compiled().FindAllStringIndex(text, n)
}

// FindAllStringSubmatch returns the first n matches and their groups; all where n is negative.
func (p *Pattern) FindAllStringSubmatch(text string, n int) [][]string {
	return p.compiled().FindAllStringSubmatch(text, n)
}

// FindAllStringSubmatchIndex returns the first n matches and their groups as pairs of offsets; all where n is negative.
func (p *Pattern) FindAllStringSubmatchIndex(text string, n int) [][]int {
	return p.compiled().FindAllStringSubmatchIndex(text, n)
}

// ReplaceAllString replaces each match by a template, as regexp expands it.
func (p *Pattern) ReplaceAllString(text, template string) string {
	return p.compiled().ReplaceAllString(text, template)
}

// ReplaceAllStringFunc replaces each match by the text that by returns for it.
func (p *Pattern) ReplaceAllStringFunc(text string, by func(string) string) string {
	return p.compiled().ReplaceAllStringFunc(text, by)
}

// Regexp returns the compiled expression.
func (p *Pattern) Regexp() *regexp.Regexp { return p.compiled() }

// Either returns a group of a regular expression that matches any entry of the list. In the entries of a list of phrases
// "(a|b)" stands for a or b, and "*" at the end of a word for any further letters.
func (s *Set) Either() string {
	return "(?:" + strings.ReplaceAll(strings.Join(s.entries(), "|"), "*", `\w*`) + ")"
}
