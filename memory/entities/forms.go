package entities

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

var placeholderForm = language.NewPattern(`\[[A-Z][A-Z0-9_]*:REDACTED[^\]\s]*\]`)

// placeholders takes the placeholders of secrets out of the way: a span without a form is no mention.
func placeholders(t *text) []span {
	if !strings.Contains(t.raw, ":REDACTED") {
		return nil
	}
	return matches(t, placeholderForm, "", Unknown)
}

var emailForm = language.NewPattern(`[\pL\pN._%+-]+@[\pL\pN-]+(?:\.[\pL\pN-]+)*\.\pL{2,}`)

func emails(t *text) []span {
	if !strings.Contains(t.raw, "@") {
		return nil
	}
	return matches(t, emailForm, Email, Person)
}

// matchesIf is matches for a form that needs a sign which most texts do not have.
func matchesIf(t *text, sign string, form *language.Pattern, f Form, k Kind) []span {
	if !strings.Contains(t.raw, sign) {
		return nil
	}
	return matches(t, form, f, k)
}

// matches returns a span for each match, of its first group where it has one.
func matches(t *text, form *language.Pattern, f Form, k Kind) []span {
	var found []span
	for _, m := range form.FindAllStringSubmatchIndex(t.raw, -1) {
		s := span{start: m[0], end: m[1], form: f, kind: k}
		if len(m) > 2 && m[2] >= 0 {
			s.start, s.end = m[2], m[3]
		}
		found = append(found, s)
	}
	return found
}

var (
	urlForm  = language.NewPattern(`(?:https?://|\b(?:github|gitlab|bitbucket)\.(?:com|org)/)[^\s<>"')\]]+`)
	forge    = language.NewPattern(`^(?:https?://)?(?:www\.)?(?:github|gitlab|bitbucket)\.(?:com|org)/[\w.-]+/[\w.-]+/?$`)
	pathForm = language.NewPattern(`(?:^|[\s("'` + "`" + `=:,])((?:\.{0,2}/|~/|[A-Za-z]:\\)?(?:[\w.-]+[/\\])*[\w-][\w.-]*)`)
	inside   = language.NewPattern(`[/\\]|\.\pL`) // of a path, or of the name of a file
	fileForm = language.NewPattern(`(?i)\w\.(?:md|go|py|js|ts|tsx|jsx|yaml|yml|json|toml|pdf|docx?|xlsx?|pptx?|csv|txt|sql|sh|html|css|rs|java|kt|rb|php|proto|` +
		`ini|cfg|conf|env|lock|png|jpe?g|svg|ipynb|tf|log|xml)$`)
)

// paths finds the addresses of pages and repositories, paths, and names of files.
func paths(t *text) []span {
	if !strings.ContainsAny(t.raw, "./\\") {
		return nil
	}
	var found []span
	for _, s := range matchesIf(t, "/", urlForm, Path, Document) {
		s.end = s.start + len(strings.TrimRight(t.raw[s.start:s.end], ".,;:!?"))
		if forge.MatchString(t.raw[s.start:s.end]) {
			s.kind = Repository
		}
		found = append(found, s)
	}
	if !inside.MatchString(t.raw) {
		return found
	}
	for _, s := range matches(t, pathForm, Path, Document) {
		s.end = s.start + len(strings.TrimRight(t.raw[s.start:s.end], ".,;:!?"))
		if isPath(t.raw[s.start:s.end]) {
			found = append(found, s)
		}
	}
	return found
}

// isPath tells a path from two words with a slash between, and a file's name from a sentence without a space.
func isPath(p string) bool {
	if !strings.ContainsAny(p, "./") {
		return false
	}
	rooted := strings.HasPrefix(p, "/") || strings.HasPrefix(p, "./") || strings.HasPrefix(p, "../") || strings.HasPrefix(p, "~/")
	if !(fileForm.MatchString(p) || rooted && len(p) > 3 && strings.ContainsAny(p[1:], "/.")) {
		return false
	}
	_, isSystem := systems()[joined(p)] // Node.js
	return !isSystem
}

var (
	quotedForm = language.NewPattern("`([^`\\s]{2,80})`")
	callForm   = language.NewPattern(`\b(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*\(\)`)
	snakeForm  = language.NewPattern(`\b[A-Za-z]+(?:_[A-Za-z0-9]+)+\b`)
	memberForm = language.NewPattern(`\b[a-z]\w*\.[A-Z]\w+\b`)
	camelForm  = language.NewPattern(`^(?:[A-Z][a-z0-9]+){2,}$`)
)

// symbols finds names of programs' symbols.
func symbols(t *text) []span {
	var found []span
	all := slices.Concat(matchesIf(t, "`", quotedForm, Code, Symbol), matchesIf(t, "()", callForm, Code, Symbol),
		matchesIf(t, "_", snakeForm, Code, Symbol), matchesIf(t, ".", memberForm, Code, Symbol), t.humps())
	for _, s := range all {
		word := t.raw[s.start:s.end]
		_, isSystem := systems()[joined(word)]
		if !isSystem && !strings.HasPrefix(word, "Mc") && !strings.HasPrefix(word, "Mac") {
			found = append(found, s)
		}
	}
	return found
}

// humps finds words with capitals inside, such as PaymentService.
func (t *text) humps() []span {
	var found []span
	for _, w := range t.words {
		if inner := t.original(w)[1:]; w.capital && !w.upper && strings.ToLower(inner) != inner && camelForm.MatchString(t.original(w)) {
			found = append(found, span{start: w.start, end: w.end, form: Code, kind: Symbol})
		}
	}
	return found
}

var (
	identForm  = language.NewPattern(`\b([A-Z][A-Z0-9]{1,9})-\d{1,7}\b`)
	dashedForm = language.NewPattern(`\b[A-Z]{2,}(?:-[A-Z0-9]+){2,}\b`)
	spokenForm = language.NewPattern(`\b(?:RFC|PEP|JEP|BCP|DIN|ADR|ISO)[ -]\d+\b`)
)

func idents(t *text) []span {
	if !strings.ContainsAny(t.raw, "-0123456789") {
		return nil
	}
	var found []span
	for _, m := range identForm.FindAllStringSubmatchIndex(t.raw, -1) {
		if !noIdents.Has(fold(t.raw[m[2]:m[3]])) {
			found = append(found, span{start: m[0], end: m[1], form: Ident, kind: Document})
		}
	}
	found = append(found, matches(t, dashedForm, Ident, Document)...)
	return append(found, matches(t, spokenForm, Ident, Document)...)
}

var handleForm = language.NewPattern(`(?:^|[\s(,;:])(@[A-Za-z0-9_][\w-]{1,38})(?:[^\w/.-]|[.-](?:\W|$)|$)`)

func handles(t *text) []span {
	if !strings.Contains(t.raw, "@") {
		return nil
	}
	found := matches(t, handleForm, Handle, Person)
	for i, s := range found {
		if strings.HasSuffix(strings.ToLower(t.raw[s.start:s.end]), "bot") {
			found[i].kind = Tool
		}
	}
	return found
}

var (
	numberedForm = language.NewPattern(`(?:^|[\s("'` + "`" + `])((?:[a-z][a-z0-9]*-)+\d+)\b`)
	serviceForm  = language.NewPattern(`(?:^|[\s("'` + "`" + `])((?:[a-z][a-z0-9]*-)+(?:api|service|svc|web|ui|app|db|worker|gateway|proxy|server|client|cli|sdk|bot|` +
		`prod|staging|dev|cluster|queue|job|lambda|infra|backend|frontend|auth|operator|controller))\b`)
)

func hosts(t *text) []span {
	if !strings.Contains(t.raw, "-") {
		return nil
	}
	var found []span
	for _, s := range append(matches(t, numberedForm, Proper, System), matches(t, serviceForm, Proper, System)...) {
		first, _, _ := strings.Cut(t.raw[s.start:s.end], "-")
		if !noHosts.Has(first) {
			found = append(found, s)
		}
	}
	return found
}

var honouredForm = language.NewPattern(`[\p{Han}々]{1,4}(?:さん|様|氏|くん|君|ちゃん|先生|先輩)|[\p{Katakana}ー]{2,10}(?:さん|様|氏|くん|ちゃん|先生)|\p{Hangul}{2,4} ?[씨님]`)

func honoured(t *text) []span {
	if isASCII(t.raw) {
		return nil
	}
	return matches(t, honouredForm, Proper, Person)
}
