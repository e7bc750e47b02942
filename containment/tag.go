package containment

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tagAnchors begin a tag.
var tagAnchors = []string{"<", "＜"}

// tag returns a match of a tag with one of the names, in any case: of every such tag, or of a closing one alone. The bracket becomes a round one. A name that ends in "_"
// or ":" stands for all that begin with it. Blanks are allowed in a tag without attributes.
func tag(closing bool, names ...string) func(text string) (hit, bool) {
	known, longest := map[string]bool{}, 0
	for _, name := range names {
		known[name], longest = true, max(longest, len(name))
	}
	return func(text string) (hit, bool) {
		_, n := utf8.DecodeRuneInString(text)
		rest := strings.TrimLeft(text[n:min(len(text), n+window)], " \t")
		inner, closes := strings.CutPrefix(rest, "/")
		inner = strings.TrimLeft(inner, " \t")
		name := nameIn(inner)
		if !named(known, longest, name) || closing && !closes {
			return hit{}, false
		}
		end := strings.TrimLeft(inner[len(name):], " \t")
		ends := strings.HasPrefix(end, ">") || strings.HasPrefix(end, "＞")
		tight := len(rest) == min(len(text), n+window)-n // no blank behind the bracket
		return hit{0, n, "("}, ends || tight && !closing
	}
}

// mostBarred is the length in bytes of the longest token of a chat template, without its bars.
const mostBarred = 40

// barredWords are the tokens of chat templates that are told even with blanks around them.
var barredWords = []string{"im_start", "im_end", "im_sep", "system", "user", "assistant", "developer", "endoftext", "eot_id", "start_header_id", "end_header_id"}

// barred returns a match of a token of a chat template, such as <|im_start|>, with its bars. The angle brackets become round ones.
func barred(bar string) func(text string) (hit, bool) {
	return func(text string) (hit, bool) {
		rest := text[1+len(bar):]
		n := strings.Index(rest[:min(len(rest), mostBarred+len(bar)+1)], bar+">")
		if n < 1 {
			return hit{}, false
		}
		token := rest[:n]
		if word := strings.TrimSpace(token); strings.ContainsFunc(token, unicode.IsSpace) && !slices.Contains(barredWords, strings.ToLower(word)) {
			return hit{}, false
		}
		end := 1 + 2*len(bar) + n + 1
		return hit{0, end, "(" + bar + token + bar + ")"}, !strings.Contains(token, bar)
	}
}

// nameIn returns the name with which a text begins.
func nameIn(text string) string {
	for i := 0; i < len(text); i++ {
		if c := text[i] | 0x20; (c < 'a' || c > 'z') && text[i] != '_' && text[i] != ':' && (text[i] < '0' || text[i] > '9') {
			return text[:i]
		}
	}
	return text
}

// named reports whether a name is known, or begins with a known one that stands for several.
func named(known map[string]bool, longest int, name string) bool {
	if len(name) > window/4 || name == "" {
		return false
	}
	name = strings.ToLower(name)
	if known[name] {
		return true
	}
	for i := 0; i < min(len(name), longest); i++ {
		if (name[i] == '_' || name[i] == ':') && known[name[:i+1]] {
			return true
		}
	}
	return false
}
