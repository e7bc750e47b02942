package foreign

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
)

// longest bounds a part of a claim, in characters: a longer text is no name and no value.
const longest = 200

// claimOf returns the claim of the parts, or none if a part says nothing or too much.
func claimOf(subject, predicate, value string) ctxmcp.Claim {
	for _, part := range []string{subject, predicate, value} {
		says := strings.ContainsFunc(part, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
		if !says || utf8.RuneCountInString(part) > longest {
			return ctxmcp.Claim{}
		}
	}
	return ctxmcp.Claim{Subject: subject, Predicate: predicate, Value: value}
}

// property is a text of the form "Port: 8443": a name of at most two words, and the rest of one line.
var property = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\p{L}[\p{L}\d]*(?:[ _-][\p{L}\d]+){0,1}): (\S.*)$`)
})

// labels tell the kind of the remark behind them, and are no names of a value.
var labels = map[string]bool{
	"note": true, "notes": true, "todo": true, "warning": true, "important": true, "example": true, "examples": true,
	"tip": true, "update": true, "reminder": true, "fixme": true, "remember": true, "user": true, "assistant": true,
	"system": true, "question": true, "answer": true, "http": true, "https": true,
}

// phrase is a beginning of a sentence whose subject has one such value at a time.
type phrase struct{ words, predicate string }

var phrases = []phrase{
	{"lives in ", "lives_in"},
	{"works at ", "works_at"},
	{"works for ", "works_at"},
	{"is based in ", "based_in"},
	{"is located in ", "located_in"},
	{"was born in ", "born_in"},
	{"was born on ", "born_on"},
}

// plainValue is a value of a phrase that nothing qualifies: up to four words that hold no other mark.
var plainValue = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\p{L}\d][\p{L}\d'’.&-]*(?: [\p{L}\d][\p{L}\d'’.&-]*){0,3}$`)
})

// qualifiers make a value hold in part, for a time or not at all.
var qualifiers = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(and|or|but|not|no|until|till|since|from|when|if|before|after|as|because|while|with|for|on|part|half|formerly)\b`)
})

// stated returns the claim of a text about the subject, if the form of the text leaves no doubt.
func stated(subject, text string) ctxmcp.Claim {
	text = strings.TrimSpace(text)
	if subject == "" || strings.ContainsAny(text, "\n\r") {
		return ctxmcp.Claim{}
	}
	if m := property().FindStringSubmatch(text); m != nil && !labels[strings.ToLower(m[1])] {
		return claimOf(subject, strings.ToLower(m[1]), strings.TrimRight(m[2], " ."))
	}
	rest := withoutSubject(subject, text)
	for _, p := range phrases {
		if len(rest) < len(p.words) || !strings.EqualFold(rest[:len(p.words)], p.words) {
			continue
		}
		value := strings.TrimRight(rest[len(p.words):], " .")
		if plainValue().MatchString(value) && !qualifiers().MatchString(value) {
			return claimOf(subject, p.predicate, value)
		}
	}
	return ctxmcp.Claim{}
}

// withoutSubject returns a sentence without the name of its subject, or "user", at its beginning.
func withoutSubject(subject, text string) string {
	for _, name := range []string{subject, "the user", "user"} {
		if len(text) > len(name) && text[len(name)] == ' ' && strings.EqualFold(text[:len(name)], name) {
			return text[len(name)+1:]
		}
	}
	return text
}
