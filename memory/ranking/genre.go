package ranking

import (
	"strings"
	"sync"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// genres maps the terms of words for a kind of work or activity to that kind. A film about something is no book about it;
// a kind "" goes with any.
var genres = sync.OnceValue(func() map[string]string {
	kinds := map[string]string{}
	for _, r := range language.Genres.Rows() {
		for _, t := range language.Terms(strings.Join(r.Words, " ")) {
			kinds[t] = strings.TrimSuffix(r.Head, anyKind)
		}
	}
	return kinds
})

// anyKind is the head of the words that go with any kind.
const anyKind = "any"

// IsGenre reports whether a term is of a word for a kind of work or activity, such as a book or a film.
func IsGenre(term string) bool {
	_, ok := genres()[term]
	return ok
}

// GenresDiffer reports whether two lists of terms name kinds of works, and none in common.
func GenresDiffer(a, b []string) bool {
	of, other := genresOf(a), genresOf(b)
	for kind := range of {
		if other[kind] {
			return false
		}
	}
	return len(of) > 0 && len(other) > 0
}

func genresOf(terms []string) map[string]bool {
	set := map[string]bool{}
	for _, t := range terms {
		if kind := genres()[t]; kind != "" {
			set[kind] = true
		}
	}
	return set
}
