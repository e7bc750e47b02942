package redact

import (
	"fmt"
	"strings"
)

// MinHidden is the length in bytes of the shortest value that Hide takes: a shorter one would stand in words.
const MinHidden = 6

// Hide returns a copy that also takes out the values, in every place and encoding: the keys and passwords of the
// installation itself. It refuses a value that is too short to be told from other text, with an error that does not
// hold it.
func (r *Redactor) Hide(values ...string) (*Redactor, error) {
	for i, v := range values {
		if len(v) < MinHidden {
			return nil, fmt.Errorf("hide value %d: it has %d bytes, and needs %d", i+1, len(v), MinHidden)
		}
	}
	return r.with(append(values, r.hidden...), r.rules), nil
}

// hiding is the detector of the values.
func hiding(values []string) detector {
	return detector{
		Doc:     "Values that the installation wants hidden, whatever they look like.",
		Anchors: values,
		at: func(t *scan, i, k int) int {
			if strings.HasPrefix(t.s[i:], values[k]) {
				t.hit("HIDDEN", i, i+len(values[k]))
			}
			return 0 // one value may hold another
		},
		Kinds: []kind{{Label: "HIDDEN", Doc: "a value that the configuration hides"}},
	}
}
