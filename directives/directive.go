package directives

import (
	"context"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/packets"
)

// Provider brings what the directives of a scheme name.
type Provider interface {
	// Fetch returns what the directive names, within the budget. It returns CodeInvalid for a rest that cannot be meant,
	// CodeNotFound and CodeDenied as usual, CodeTooLarge for what does not fit as a whole, CodeUnavailable for what did
	// not answer.
	Fetch(ctx context.Context, c Call) (Fetched, error)
}

// Call is a directive on its way to a provider.
type Call struct {
	By     ctxmcp.Caller
	At     ctxmcp.Scope
	Scheme string
	Rest   string // the text behind the scheme and its colon
	Budget Budget
}

// Budget bounds what a provider may bring.
type Budget struct {
	Bytes  int64 // of all texts together
	Items  int
	Tokens int // that will be shown: a hint
}

// Fetched holds the things that a provider brought, and counts those that had to stay away.
type Fetched struct {
	Found   []Found
	Skipped []Skipped
	// Held is the artifact that is meant, where the bytes are held here already.
	Held *ctxmcp.Artifact
}

// Found is one text, as it is at its source.
type Found struct {
	URI            string
	MediaType      string // empty: by the content
	Text           string
	Classification ctxmcp.Classification // empty: that of what was redacted
	Sources        []packets.Source      // of the objects held here that it was made of
}

// Skipped is something that was not brought, and why.
type Skipped struct {
	URI    string `json:"uri"`
	Reason string `json:"reason"`
}

const maxDirective = 4000 // characters

var schemeForm = regexp.MustCompile(`^[a-z][a-z0-9+.-]*$`)

// parse splits a directive. It returns CodeInvalid for text that is none, CodeTooLarge for one that is too long.
func (s *Service) parse(text string) (scheme, rest string, err error) {
	if n := utf8.RuneCountInString(text); n > maxDirective {
		return "", "", ctxmcp.Errorf(ctxmcp.CodeTooLarge, "the directive has %d characters, more than the limit of %d", n, maxDirective).
			WithHint("say in fewer words what it should bring")
	}
	invalid := ctxmcp.Errorf(ctxmcp.CodeInvalid, "directive %q is not scheme:rest", ctxmcp.Clip(text, maxEcho)).
		WithHint("such as %s", strings.Join(s.examples(), ", "))
	scheme, rest, ok := strings.Cut(text, ":")
	if !ok || rest == "" && scheme != listScheme || !schemeForm.MatchString(scheme) || !utf8.ValidString(text) {
		return "", "", invalid
	}
	return scheme, rest, nil
}

// examples shows a directive of each scheme that is open.
func (s *Service) examples() []string {
	var list []string
	for _, scheme := range slices.Sorted(maps.Keys(s.Providers)) {
		if s.Providers[scheme] == nil || scheme == "http" {
			continue
		}
		example, _, _ := strings.Cut(grammar[scheme], "  ")
		list = append(list, example)
	}
	return append(list, listScheme+":")
}

// options reads what stands behind a question mark, each name once and known.
func options(query string, known ...string) (map[string]string, error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "what follows the question mark cannot be read").WithHint("write it as name=value&name=value")
	}
	all := map[string]string{}
	for name, v := range values {
		if len(v) != 1 || !slices.Contains(known, name) {
			return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "%q is no option here, or is there twice", ctxmcp.Clip(name, maxEcho)).
				WithHint("one of %s", strings.Join(known, ", "))
		}
		all[name] = v[0]
	}
	return all, nil
}

const maxEcho = 60 // characters: enough to tell which argument is meant

// legible reports whether bytes are text: UTF-8 with no NUL in it, whose beginning has none of the bytes by which the WHATWG's
// MIME Sniffing Standard knows binary data.
func legible(text string) bool {
	const beginning = 1445 // bytes that the standard looks at
	return utf8.ValidString(text) && !strings.ContainsRune(text, 0) && !strings.ContainsFunc(text[:min(len(text), beginning)], func(r rune) bool {
		return r <= 0x08 || r == 0x0B || 0x0E <= r && r <= 0x1A || 0x1C <= r && r <= 0x1F
	})
}
