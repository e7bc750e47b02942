package language

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
)

// Pattern is a regular expression about the wording of a text. It is compiled at its first use: a program that starts does
// not pay for the many that it may never ask.
type Pattern struct {
	compiled func() *regexp.Regexp
	required func() *required
	leading  func() *leading
	uses     atomic.Int32
}

// oftenUsed is the number of texts from which on it is worth to read the condition of a pattern before the pattern.
const oftenUsed = 16

// mayMatch reports whether the text can hold a match. It is false only where there is none.
func (p *Pattern) mayMatch(text string) bool {
	if p.uses.Load() < oftenUsed {
		p.uses.Add(1)
		return true
	}
	r := p.required()
	return r == nil || r.meets(text)
}

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
	p := &Pattern{compiled: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression()) })}
	p.required = sync.OnceValue(func() *required { return requiredOf(p.compiled().String()) })
	p.leading = sync.OnceValue(func() *leading { return leadingOf(p.compiled().String()) })
	return p
}

// MatchString reports whether the text holds a match.
func (p *Pattern) MatchString(text string) bool {
	if !p.mayMatch(text) {
		return false
	}
	if len(text) >= longText && p.uses.Load() >= oftenUsed {
		if l := p.leading(); l != nil {
			if is, known := l.matches(text); known {
				return is
			}
		}
	}
	return p.compiled().MatchString(text)
}

// FindString returns the first match, or "".
func (p *Pattern) FindString(text string) string {
	if !p.mayMatch(text) {
		return ""
	}
	return p.compiled().FindString(text)
}

// FindStringIndex returns the first match as a pair of offsets, or nil.
func (p *Pattern) FindStringIndex(text string) []int {
	if !p.mayMatch(text) {
		return nil
	}
	return p.compiled().FindStringIndex(text)
}

// FindStringSubmatch returns the first match and its groups, or nil.
func (p *Pattern) FindStringSubmatch(text string) []string {
	if !p.mayMatch(text) {
		return nil
	}
	return p.compiled().FindStringSubmatch(text)
}

// FindStringSubmatchIndex returns the first match and its groups as pairs of offsets, or nil.
func (p *Pattern) FindStringSubmatchIndex(text string) []int {
	if !p.mayMatch(text) {
		return nil
	}
	return p.compiled().FindStringSubmatchIndex(text)
}

// FindAllString returns the first n matches; all where n is negative.
func (p *Pattern) FindAllString(text string, n int) []string {
	if !p.mayMatch(text) {
		return nil
	}
	return p.compiled().FindAllString(text, n)
}

// FindAllStringIndex returns the first n matches as pairs of offsets; all where n is negative.
func (p *Pattern) FindAllStringIndex(text string, n int) [][]int {
	if !p.mayMatch(text) {
		return nil
	}
	return p.compiled().FindAllStringIndex(text, n)
}

// FindAllStringSubmatch returns the first n matches and their groups; all where n is negative.
func (p *Pattern) FindAllStringSubmatch(text string, n int) [][]string {
	if !p.mayMatch(text) {
		return nil
	}
	return p.compiled().FindAllStringSubmatch(text, n)
}

// FindAllStringSubmatchIndex returns the first n matches and their groups as pairs of offsets; all where n is negative.
func (p *Pattern) FindAllStringSubmatchIndex(text string, n int) [][]int {
	if !p.mayMatch(text) {
		return nil
	}
	return p.compiled().FindAllStringSubmatchIndex(text, n)
}

// ReplaceAllString replaces each match by a template, as regexp expands it.
func (p *Pattern) ReplaceAllString(text, template string) string {
	if !p.mayMatch(text) {
		return text
	}
	return p.compiled().ReplaceAllString(text, template)
}

// ReplaceAllStringFunc replaces each match by the text that by returns for it.
func (p *Pattern) ReplaceAllStringFunc(text string, by func(string) string) string {
	if !p.mayMatch(text) {
		return text
	}
	return p.compiled().ReplaceAllStringFunc(text, by)
}

// Regexp returns the compiled expression.
func (p *Pattern) Regexp() *regexp.Regexp { return p.compiled() }

// Either returns a group of a regular expression that matches any entry of the list. In the entries of a list of phrases
// "(a|b)" stands for a or b, and "*" at the end of a word for any further letters.
func (s *Set) Either() string {
	return "(?:" + strings.ReplaceAll(strings.Join(s.entries(), "|"), "*", `\w*`) + ")"
}
