package ranking

import "github.com/ctx-mcp/ctx-mcp/analysis"

// genres maps the terms of words for a kind of work or activity to that kind. A film about something is no book about it;
// a kind "" goes with any.
var genres = func() map[string]string {
	kinds := map[string]string{}
	for kind, words := range map[string]string{
		"book": "book novel read reading author literature", "film": "film movie watch watching director acting actor actress",
		"music": "music song album band singer concert listen listening sound", "game": "game play playing", "travel": "travel trip destination",
		"": "work style writing directing performance story genre topic idea stuff",
	} {
		for _, t := range analysis.Terms(words) {
			kinds[t] = kind
		}
	}
	return kinds
}()

// IsGenre reports whether a term is of a word for a kind of work or activity, such as a book or a film.
func IsGenre(term string) bool {
	_, ok := genres[term]
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
		if kind := genres[t]; kind != "" {
			set[kind] = true
		}
	}
	return set
}
