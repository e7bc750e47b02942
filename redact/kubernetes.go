package redact

import "strings"

const (
	maxManifest = 4096 // bytes between the kind of a manifest and its data
	maxEntries  = 256  // of one Secret
)

var kubernetesSecrets = detector{
	Doc:     "Every value under data and stringData of a Kubernetes Secret, in YAML and JSON, whatever its key.",
	Anchors: []string{`data"`, `data\`, "data:"},
	at:      secretDataAt,
	Kinds: []kind{{
		Label:    "K8S_SECRET",
		Doc:      "a value of a Kubernetes Secret",
		Unmarked: true, // base64 makes a short value long
		Yes: []string{
			"apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ntype: Opaque\ndata:\n  user: «YXBw»\n  url: «aHVudGVyMg==»\n",
			"kind: Secret\nstringData:\n  host: «db-1»\n  plain: \"«some words»\"\nmetadata:\n  name: db\n",
			`{"kind": "Secret", "metadata": {"name": "db"}, "data": {"url": "«aHVudGVyMg==»", "ca": "«c2FtcGxl»"}, "type": "Opaque"}`,
			`{"apiVersion":"v1","data":{"url":"«aHVudGVyMg==»"},"kind":"Secret"}`,
		},
		No: []string{
			"kind: ConfigMap\ndata:\n  user: YXBw\n  url: aHVudGVyMg==\n",
			"kind: SecretProviderClass\ndata:\n  url: aHVudGVyMg\n",
			"kind: Secret\ntype: Opaque\n---\nkind: ConfigMap\ndata:\n  url: aHVudGVyMg\n",
			`{"kind": "List", "data": {"url": "aHVudGVyMg=="}}`,
		},
	}},
}

// secretDataAt walks the entries of the data, if a manifest of kind Secret holds them.
func secretDataAt(t *scan, i, _ int) int {
	s, after := t.s, i+len("data")
	if string := max(0, i-len("string")); strings.EqualFold(s[string:i], "string") {
		i = string
	}
	if !startsWord(s, i) || !ofSecret(s, i, after) {
		return after
	}
	at := closeKey(s, after)
	if at >= len(s) || s[at] != ':' {
		return after
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

// ofSecret reports whether the data from i to after are those of a manifest of kind Secret, near by and with no other
// manifest between.
func ofSecret(s string, i, after int) bool {
	before := s[max(0, i-maxManifest):i]
	behind := s[after:min(len(s), after+maxManifest)]
	if cut := strings.LastIndex(before, "---"); cut >= 0 {
		before = before[cut:]
	}
	if cut := strings.Index(behind, "\n---"); cut >= 0 {
		behind = behind[:cut]
	}
	if at := strings.LastIndex(before, "kind"); at >= 0 {
		return isSecretKind(before[at:])
	}
	at := strings.Index(behind, "kind")
	return at >= 0 && isSecretKind(behind[at:])
}

// isSecretKind reports whether text begins with kind: Secret, as YAML or JSON.
func isSecretKind(text string) bool {
	at := closeKey(text, len("kind"))
	if at >= len(text) || text[at] != ':' {
		return false
	}
	at = blanks.run(text, at+1, at+maxBlanks)
	at = quotes.run(text, slashes.run(text, at, at+maxSlashes), at+maxSlashes+1)
	return strings.HasPrefix(text[at:], "Secret") && endsWord(text, at+len("Secret"))
}
