package refusal

import (
	"path"
	"slices"
	"strings"
)

// fullName returns somebody's own name as it is compared.
func fullName(text string) string {
	return strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(text, "./"), "/"))
}

// isAbout reports whether an act is about an object: about all of its words, or about a name in it.
func (a Act) isAbout(object []string, about func(value, word string) bool) bool {
	named := slices.ContainsFunc(object, isNamed)
	if named {
		return slices.ContainsFunc(object, func(w string) bool { return isNamed(w) && a.hasName(w, about) })
	}
	for _, w := range object {
		if !slices.Contains(a.words, w) && !a.ofRecord(w, about) {
			return false
		}
	}
	return len(object) > 0
}

// ofRecord reports whether a record that holds a value of the act has a word too.
func (a Act) ofRecord(w string, about func(value, word string) bool) bool {
	return about != nil && slices.ContainsFunc(a.values, func(v string) bool { return len(v) < 80 && about(v, w) })
}

// hasName reports whether a value of the act is, or is below, or ends in a name.
func (a Act) hasName(name string, about func(value, word string) bool) bool {
	if slices.Contains(a.Kinds, runKind) && a.runs != "" && !a.Changes {
		return path.Base(name) == strings.ToLower(a.runs)
	}
	name = strings.TrimPrefix(name, "#")
	return slices.ContainsFunc(a.values, func(v string) bool {
		v = strings.TrimPrefix(strings.ToLower(v), "#")
		return v == name || strings.Contains("/"+strings.NewReplacer(":", "/", "=", "/").Replace(v)+"/", "/"+name+"/")
	}) || a.ofRecord(name, about)
}

// environments are the places of which a user names one, and means no other.
var environments = []string{"production", "staging", "development"}

// isElsewhere reports whether an act names another thing of the kind of those that the user limits it to: an environment, a file, somebody.
func (a Act) isElsewhere(kinds []string, objects [][]string) bool {
	stages := slices.ContainsFunc(objects, func(o []string) bool { return sharesKind(o, environments) })
	if stages {
		return sharesKind(a.words, environments)
	}
	switch {
	case slices.Contains(kinds, sendKind) || slices.Contains(kinds, shareKind):
		return slices.ContainsFunc(a.values, func(v string) bool { return strings.ContainsAny(v, "@#") })
	case slices.Contains(kinds, editKind):
		return !a.Temporary && slices.ContainsFunc(a.values, func(v string) bool { return strings.ContainsAny(v, "/.") })
	}
	return false
}
