package reduce

import "strings"

// A refrain is a label, such as "Thought:", with which an agent begins most of what it says: it tells nothing, and hides how a sentence begins.
const (
	longestRefrain = 24  // bytes, with the colon
	refrainShare   = 0.5 // of what the agent said
	leastRefrains  = 4
)

// refrainOf returns the label with which the agent begins most of what it says, "" if there is none.
func refrainOf(segs []segment) string {
	said, count := 0, map[string]int{}
	for i := range segs {
		if segs[i].source == fromAssistant {
			said++
			count[labelOf(segs[i].text)]++
		}
	}
	for label, n := range count {
		if label != "" && n >= leastRefrains && float64(n) > refrainShare*float64(said) {
			return label
		}
	}
	return ""
}

// labelOf returns the word in front of a text with the colon behind it, "" if there is none.
func labelOf(text string) string {
	head := text[:min(len(text), longestRefrain)]
	at := strings.IndexByte(head, ':')
	if at < 1 || strings.ContainsAny(head[:at], " \t\n/") {
		return ""
	}
	return head[:at+1]
}
