package containment

import "strings"

// imageOfData matches an image whose address carries data in its query: showing it sends the data.
func imageOfData(text string) (hit, bool) {
	const mostAlt, mostAddress = 80, 240
	alt := text[2:min(len(text), 2+mostAlt+2)]
	end := strings.IndexAny(alt, "]\n")
	if end < 0 || !strings.HasPrefix(alt[end:], "](") {
		return hit{}, false
	}
	address := text[2+end+2:]
	address = address[:min(len(address), mostAddress)]
	if end := strings.IndexAny(address, ") \t\r\n"); end >= 0 {
		address = address[:end]
	}
	scheme, rest, _ := strings.Cut(strings.ToLower(address), "://")
	query := strings.IndexAny(rest, "?&")
	return hit{0, 2, ""}, (scheme == "https" || scheme == "http") && query > 0 && strings.Index(rest[query:], "=") > 1
}

// guarded are the things that nobody who means well asks to be sent.
var guarded = []string{"api key", "api keys", "password", "passwords", "credentials", "secrets", "tokens", "conversation", "system prompt"}

// sendsSecrets matches a sentence that asks to send one of guarded somewhere.
func sendsSecrets(text string) (hit, bool) {
	const most = 40 // bytes between the words
	sentence := strings.ToLower(text[:min(len(text), 3*most+30)])
	if end := strings.IndexAny(sentence, ".\n"); end >= 0 {
		sentence = sentence[:end]
	}
	verb := strings.IndexByte(sentence, ' ')
	if verb < 0 {
		return hit{}, false
	}
	rest := sentence[verb:]
	for _, thing := range guarded {
		at := wordAt(rest, thing)
		if at < 0 || at > most {
			continue
		}
		behind := rest[at+len(thing):]
		for _, to := range []string{"to", "at"} {
			if n := wordAt(behind, to); n >= 0 && n <= most {
				return hit{0, verb, ""}, true
			}
		}
	}
	return hit{}, false
}

// wordAt returns where a word stands alone in a text, -1 if it does not.
func wordAt(text, word string) int {
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return -1
		}
		at += from
		if !inWord(text, at) && !inWord(text, at+len(word)) {
			return at
		}
		from = at + 1
	}
}
