package redact

import "strings"

// maxPair is the number of bytes that may stand between the two halves of a pair.
const maxPair = 256

// pairNames are keys whose value is the name of something whose value stands beside it.
var pairNames = wordList("pair_names")

// pairValues are the keys of that value.
var pairValues = wordList("pair_values")

// pairedValue returns the secret of a pair, {name: KEY, value: SECRET}, whose name is the key: in JSON, YAML, HCL and
// XML. The value may stand on either side of the name.
func pairedValue(s string, k key) (span, bool) {
	first, last := pairName(s, k.start)
	if first == last {
		return siblingValue(s, k)
	}
	named := s[first:last]
	n, ok := k.judge(s)
	if !ok {
		return span{}, false
	}
	after := closeKey(s, k.end)
	if after < len(s) && s[after] == '>' && after > k.end { // <property name="password">x</property>
		return n.paired(s, valueAt(s, after+1, element))
	}
	sp, ok := n.pairedIn(s, after, pairEnd(s, after, named))
	if !ok {
		sp, ok = n.pairedIn(s, pairStart(s, first, named), first)
	}
	if named == "type" && ok && !n.cell(s[sp.start:sp.end]) { // of a form, whose value may be a caption
		return span{}, false
	}
	return sp, ok
}

// siblingValue returns the secret in the element after the one that holds the key: <name>KEY</name> <value>SECRET</value>,
// and <key>, <string> of a property list.
func siblingValue(s string, k key) (span, bool) {
	start := k.phrase
	for start > 0 && k.phrase-start < maxKey*2 && dotted[s[start-1]] {
		start--
	}
	if start == 0 || s[start-1] != '>' || !strings.HasPrefix(s[k.end:], "</") {
		return span{}, false
	}
	closed := nameBytes.run(s, k.end+2, k.end+2+maxKey)
	if closed >= len(s) || s[closed] != '>' {
		return span{}, false
	}
	open := skipGaps(s, closed+1)
	end := nameBytes.run(s, open+1, open+1+maxKey)
	if open >= len(s) || s[open] != '<' || end >= len(s) || s[end] != '>' || !siblings[s[open+1:end]] {
		return span{}, false
	}
	n, ok := k.judge(s)
	if !ok {
		return span{}, false
	}
	v := valueAt(s, end+1, element)
	if cells[s[open+1:end]] && !n.cell(s[v.start:v.end]) {
		return span{}, false
	}
	return n.paired(s, v)
}

// siblings are the elements of such values.
var siblings = wordSet("value string data val default-value td dd")

// cells are those of them that stand beside every name, in a table or a list.
var cells = wordSet("td dd")

// pairName returns where the key stands whose value is at i, if it is one such as name; else nowhere.
func pairName(s string, i int) (start, end int) {
	for first := i; i > 0 && first-i < maxKey && dotted[s[i-1]]; { // of spring.datasource.password
		i--
	}
	if end = keyEnd(s, i); end == 0 {
		end = blockKind(s, i)
	}
	start = end
	for start > 0 && end-start < maxKey && nameBytes[s[start-1]] {
		start--
	}
	if w := splitWords(s[start:end]); !pairNames[string(w.part(0, w.count))] {
		return end, end
	}
	return start, end
}

// blockKind returns where the kind of a block of HCL ends whose name is quoted at i, as in variable "password" {; 0 if
// none does.
func blockKind(s string, i int) int {
	for first := i; i > 0 && first-i < maxSlashes && (quotes[s[i-1]] || s[i-1] == '\\'); {
		i--
	}
	if i == 0 || s[i-1] != ' ' || !hasAnySuffix(s[:i-1], "variable", "output") {
		return 0
	}
	return i - 1
}

// pairEnd returns where the object that holds i ends, or the item of a list, or another begins with the same key.
func pairEnd(s string, i int, named string) int {
	rest := s[i:min(len(s), i+maxPair)]
	for _, stop := range []string{named, "}", "/>", "\n-", "\n\n"} {
		if at := strings.Index(rest, stop); at >= 0 {
			rest = rest[:at]
		}
	}
	return i + len(rest)
}

// pairStart returns where the object that holds i begins, or the item of a list, or another ends with the same key.
func pairStart(s string, i int, named string) int {
	head := s[max(0, i-maxPair):i]
	for _, stop := range []string{named, "{", "<", "\n-", "\n\n"} {
		if at := strings.LastIndex(head, stop); at >= 0 {
			head = head[at:]
		}
	}
	return i - len(head)
}

// pairedIn looks for the key of a value between from and to.
func (n name) pairedIn(s string, from, to int) (span, bool) {
	for i := from; i < to; i++ {
		if !letters[s[i]] {
			continue
		}
		end := nameBytes.run(s, i, to)
		w := splitWords(s[i:end])
		if form, at := separator(s, end); pairValues[string(w.part(0, w.count))] && (form == colon || form == assigned) {
			return n.paired(s, valueAt(s, at, form))
		}
		i = end
	}
	return span{}, false
}

// paired returns the value, if it is a secret by that name.
func (n name) paired(s string, v value) (span, bool) {
	if v.start == v.end || !n.takes(s, key{start: v.start, end: v.start, phrase: v.start, path: v.start}, v) {
		return span{}, false
	}
	if !v.quoted {
		v.end = bareEnd(s, v.start, len(s))
	}
	return span{start: v.start, end: v.end, label: n.label}, true
}
