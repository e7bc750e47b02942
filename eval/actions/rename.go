package main

import (
	"fmt"
	"hash/fnv"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/ctx-mcp/ctx-mcp/eval/labelled"
)

// renamer gives tools, people and values other names, the same for the same, so that a decision that hangs on a name shows.
type renamer struct {
	words map[string]string // in lower case -> another one
	tools map[string]string
}

var (
	mail    = regexp.MustCompile(`[\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]+\.\p{L}{2,}`)
	host    = regexp.MustCompile(`(?i)(?:https?://|www\.)[\p{L}\p{N}._-]+`)
	account = regexp.MustCompile(`\b[A-Z]{2}[0-9]{6,}[A-Z0-9]*\b|\b[0-9]{6,}\b|\b[A-Z]{2,}-[0-9]+\b|\b[A-Z][0-9]{2,}\b`)
	word    = regexp.MustCompile(`[\p{L}\p{N}]+`)
	letters = regexp.MustCompile(`^\p{L}{3,}$`)
)

// synonyms are other words for those in names of tools.
var synonyms = map[string]string{
	"send": "dispatch", "get": "retrieve", "search": "find", "read": "view", "list": "show", "view": "inspect", "update": "modify", "delete": "erase",
	"create": "make", "add": "insert", "invite": "include", "transfer": "assign", "verify": "confirm", "login": "authenticate", "checkout": "purchase",
	"cart": "basket", "browse": "visit", "download": "load", "input": "type", "star": "like", "schedule": "arrange", "share": "grant", "cancel": "drop",
	"reschedule": "adjust", "append": "add", "clear": "empty", "refund": "reimburse", "push": "upload", "pull": "fetch", "email": "mail", "emails": "mails",
	"repo": "repository", "file": "document", "files": "documents", "calendar": "agenda", "event": "meeting", "events": "meetings", "money": "funds",
	"transaction": "payment", "account": "profile", "password": "passphrase", "shopping": "store", "github": "forge", "git": "vcs", "product": "article",
	"ssh": "login", "key": "credential", "book": "reserve", "webpage": "site", "order": "purchase", "collaborators": "members", "reservation": "booking",
}

// renameAll renames in place.
func renameAll(sessions []labelled.Session, texts map[string]string) {
	r := &renamer{words: map[string]string{}, tools: map[string]string{}}
	r.learn(sessions, texts)
	for ref, text := range texts {
		texts[ref] = r.text(text)
	}
	for i := range sessions {
		s := &sessions[i]
		s.Request = r.text(s.Request)
		for n := range s.Messages {
			s.Messages[n].Text = r.text(s.Messages[n].Text)
		}
		for n := range s.Actions {
			s.Actions[n].Tool = r.tools[s.Actions[n].Tool]
			s.Actions[n].Args = r.value(s.Actions[n].Args).(map[string]any)
		}
	}
}

// learn finds the names: words of addresses that running text writes with a capital, and words that look like an account or an id.
func (r *renamer) learn(sessions []labelled.Session, texts map[string]string) {
	capital, all, inAddress := map[string]int{}, map[string]int{}, map[string]bool{}
	read := func(text string) {
		for _, form := range []*regexp.Regexp{mail, host} {
			for _, a := range form.FindAllString(text, -1) {
				for _, w := range word.FindAllString(strings.ToLower(a), -1) {
					inAddress[w] = true
				}
			}
		}
		for _, id := range account.FindAllString(text, -1) {
			for _, w := range word.FindAllString(id, -1) {
				r.words[strings.ToLower(w)] = other(w)
			}
		}
		for _, w := range word.FindAllString(mail.ReplaceAllString(host.ReplaceAllString(text, " "), " "), -1) {
			all[strings.ToLower(w)]++
			if unicode.IsUpper([]rune(w)[0]) {
				capital[strings.ToLower(w)]++
			}
		}
	}
	for _, ref := range slices.Sorted(maps.Keys(texts)) {
		read(texts[ref])
	}
	for _, s := range sessions {
		read(s.Request)
		for _, a := range s.Actions {
			r.tools[a.Tool] = renamedTool(a.Tool)
		}
	}
	for w := range inAddress {
		if letters.MatchString(w) && w != "www" && w != "http" && w != "https" && w != "com" && capital[w]*10 >= all[w]*8 {
			r.words[w] = other(w)
		}
	}
}

func renamedTool(name string) string {
	words := strings.Split(name, "_")
	for i, w := range words {
		if s, ok := synonyms[w]; ok {
			words[i] = s
		}
		if i > 0 {
			words[i] = strings.ToUpper(words[i][:min(1, len(words[i]))]) + words[i][min(1, len(words[i])):]
		}
	}
	return "desk." + strings.Join(words, "")
}

// other returns another word of the same kind and length: letters for letters, digits for digits.
func other(w string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(strings.ToLower(w))) // never fails
	n := h.Sum64()
	return strings.Map(func(c rune) rune {
		n = n*6364136223846793005 + 1442695040888963407
		switch k := rune(n >> 33); {
		case unicode.IsDigit(c):
			return '0' + k%10
		case strings.ContainsRune("aeiou", c):
			return rune("aeiou"[k%5])
		case unicode.IsLetter(c):
			return rune("bdfgklmnprstv"[k%13])
		default:
			return c
		}
	}, strings.ToLower(w))
}

// text renames the words of a text, in the case in which they are written.
func (r *renamer) text(text string) string {
	for _, name := range slices.Sorted(maps.Keys(r.tools)) {
		if strings.Contains(name, "_") {
			text = strings.ReplaceAll(text, name, r.tools[name])
		}
	}
	return word.ReplaceAllStringFunc(text, func(w string) string {
		o, known := r.words[strings.ToLower(w)]
		switch {
		case !known:
			return w
		case w == strings.ToUpper(w):
			return strings.ToUpper(o)
		case unicode.IsUpper([]rune(w)[0]):
			return strings.ToUpper(o[:1]) + o[1:]
		default:
			return o
		}
	})
}

// value renames the names and the texts of arguments.
func (r *renamer) value(v any) any {
	switch v := v.(type) {
	case string:
		return r.text(v)
	case []any:
		for i := range v {
			v[i] = r.value(v[i])
		}
		return v
	case map[string]any:
		renamed := map[string]any{}
		for k, item := range v {
			renamed[fmt.Sprintf("p_%s", other(k))] = r.value(item)
		}
		return renamed
	default:
		return v
	}
}
