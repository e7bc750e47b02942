package redact

import "strings"

const (
	maxManifest = 4096 // bytes between the kind of a manifest and its data
	maxEntries  = 256  // of one Secret
)

var kubernetesSecrets = detector{
	Doc:     "Every value under data and stringData of a Kubernetes Secret, in YAML and JSON, whatever its key.",
	Anchors: []string{"---", "kind", "data"},
	at:      manifestAt,
	Kinds: []kind{{
		Label:    "K8S_SECRET",
		Doc:      "a value of a Kubernetes Secret",
		Unmarked: true, // base64 makes a short value long
		Yes: []string{
			"apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ntype: Opaque\ndata:\n  user: «YXBw»\n  url: «aHVudGVyMg==»\n",
			"kind: Secret\nstringData:\n  host: «db-1»\n  plain: \"«some words»\"\nmetadata:\n  name: db\n",
			`{"kind": "Secret", "metadata": {"name": "db"}, "data": {"url": "«aHVudGVyMg==»", "ca": "«c2FtcGxl»"}, "type": "Opaque"}`,
			`{"apiVersion":"v1","data":{"url":"«aHVudGVyMg==»"},"kind":"Secret"}`,
			"kind: secret\ndata:\n  # of the database\n  url: «aHVudGVyMg==»\n  # of nothing\n  ca: «c2FtcGxl»\n",
		},
		No: []string{
			"kind: ConfigMap\ndata:\n  user: YXBw\n  url: aHVudGVyMg==\n",
			"kind: SecretProviderClass\ndata:\n  url: aHVudGVyMg\n",
			"kind: Secret\ntype: Opaque\n---\nkind: ConfigMap\ndata:\n  url: aHVudGVyMg\n",
			`{"kind": "List", "data": {"url": "aHVudGVyMg=="}}`,
		},
	}},
}

// A manifest holds the parts of a Kubernetes object that have been read.
type manifest struct {
	kind   int  // where its kind stands; 0: not yet read, since no kind begins a text that matters
	secret bool // it is a Secret
	data   int  // where data stand that came before the kind; 0: none
}

// manifestAt reads the anchors of manifests, in whose order the cases stand.
func manifestAt(t *scan, i, k int) int {
	s, m := t.s, &t.manifest
	switch {
	case k == 0 && lineStart(s, i):
		*m = manifest{}
	case k == 1 && startsWord(s, i) && keyEnds(s, i+len("kind")) > 0:
		m.kind, m.secret = i+1, secretKind(s, i)
		if m.data > 0 && m.secret && i-m.data < maxManifest {
			t.secretData(m.data)
		}
		m.data = 0
	case k == 2:
		if m.kind > 0 && i-m.kind < maxManifest {
			if m.secret {
				return t.secretData(i)
			}
		} else if startsWord(s, i) || stringData(s, i) {
			m.data = i
		}
	}
	return i + 1
}

// keyEnds returns where the colon stands that ends the key before i, 0 if none does.
func keyEnds(s string, i int) int {
	if i = closeKey(s, i); i < len(s) && s[i] == ':' {
		return i
	}
	return 0
}

// stringData reports whether the word at i is the end of stringData.
func stringData(s string, i int) bool {
	return i >= len("string") && strings.EqualFold(s[i-len("string"):i], "string")
}

// secretData walks the entries of the data that begin at i, and returns where they end.
func (t *scan) secretData(i int) int {
	s := t.s
	at := keyEnds(s, i+len("data"))
	if at == 0 || !startsWord(s, i) && !stringData(s, i) {
		return i + 1
	}
	at = skipGaps(s, at+1)
	inJSON := at < len(s) && s[at] == '{'
	if inJSON {
		at++
	}
	for range maxEntries {
		end := t.secretEntry(skipGaps(s, at), inJSON)
		if end == 0 {
			break
		}
		at = end
	}
	return at
}

// secretEntry notes the value of the entry at i and returns where the next begins, 0 if there is none.
func (t *scan) secretEntry(i int, inJSON bool) int {
	s := t.s
	if !inJSON {
		i = skipComments(s, i)
	}
	if !inJSON && lineIndent(s, i) == 0 {
		return 0
	}
	name := slashes.run(s, i, i+maxSlashes)
	name = quotes.run(s, name, name+1)
	end := closeKey(s, dotted.run(s, name, name+maxKey*2))
	if end == name || end >= len(s) || s[end] != ':' {
		return 0
	}
	v := valueAt(s, blanks.run(s, end+1, end+1+maxBlanks), colon)
	if !v.quoted {
		v.end = bareEnd(s, v.start, len(s))
	}
	if text := s[v.start:v.end]; !reference(text) {
		t.hit("K8S_SECRET", v.start, v.end)
	}
	next := closeKey(s, v.end)
	if next < len(s) && s[next] == ',' {
		next++
	}
	return max(next, i+1)
}

// skipComments returns where the next line of YAML begins that is no comment.
func skipComments(s string, i int) int {
	for limit := i + maxQuoted; i < len(s) && s[i] == '#'; {
		for i < min(len(s), limit) && !endsLine(s, i) {
			i++
		}
		if i >= limit {
			break
		}
		i = skipGaps(s, i)
	}
	return i
}

// lineIndent returns how far the line is indented in which i is the first sign; 0 if it is not the first.
func lineIndent(s string, i int) int {
	n := 0
	for i > n && blanks[s[i-n-1]] && n < maxKey {
		n++
	}
	if !lineStart(s, i) {
		return 0
	}
	return n
}

// secretKind reports whether the key kind at i has the value Secret, in YAML or JSON.
func secretKind(s string, i int) bool {
	at := keyEnds(s, i+len("kind")) + 1
	at = blanks.run(s, at, at+maxBlanks)
	at = quotes.run(s, slashes.run(s, at, at+maxSlashes), at+maxSlashes+1)
	return len(s)-at >= len("Secret") && strings.EqualFold(s[at:at+len("Secret")], "Secret") && endsWord(s, at+len("Secret"))
}
