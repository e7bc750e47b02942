package taint

import (
	"path"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// maxPlaces bounds the paths of the user's words that are kept.
const maxPlaces = 256

// notePlaces keeps the paths in a statement, in its plain form.
func (p *heard) notePlaces(plain string) {
	for w := range strings.FieldsFuncSeq(plain, func(r rune) bool { return strings.ContainsRune(" \"'`,;()<>", r) }) {
		w = strings.TrimRight(strings.ReplaceAll(w, `\`, "/"), ".:!?/")
		if len(p.places) < maxPlaces && strings.ContainsAny(w, "/~") && !strings.Contains(w, "://") {
			p.places = append(p.places, path.Clean(w))
		}
	}
}

// NamesPlace reports whether the user's own words name a path: it, or a folder above it. Who gave no whole path may name the file, or the folder that it
// is in, as in "on my desktop". folder is the one that the agent works in, empty where it is not known.
func (p *Provenance) NamesPlace(file, folder string) bool {
	file = onePath(spaced(strings.Trim(file, `"'`)), spaced(folder))
	if slices.ContainsFunc(p.places, func(said string) bool { return liesIn(file, said, spaced(folder)) }) {
		return true
	}
	if slices.ContainsFunc(p.places, isWhole) {
		return false
	}
	if name := path.Base(file); len(name) > 2 && p.saysName(name) {
		return true
	}
	return p.saysFolder(path.Base(path.Dir(file)))
}

// onePath returns a path in one form: of a folder that is known where the path is a relative one.
func onePath(file, folder string) string {
	file = strings.ReplaceAll(strings.TrimPrefix(file, "file://"), `\`, "/")
	if folder != "" && !strings.HasPrefix(file, "/") && !strings.HasPrefix(file, "~") && !strings.HasPrefix(file, "$") && (len(file) < 2 || file[1] != ':') {
		file = path.Join(strings.ReplaceAll(folder, `\`, "/"), file)
	}
	return path.Clean(file)
}

// liesIn reports whether a file is at the path that was said, or below it. A home folder, and whatever holds homes, names no place.
func liesIn(file, said, folder string) bool {
	if tail := belowHome(said); tail != "" {
		return within(belowHome(file), tail)
	}
	if isWhole(said) {
		return strings.Count(said, "/") > 0 && !isHomes(said) && within(file, said)
	}
	return within(file, onePath(said, folder)) && !strings.HasSuffix(said, "..") || strings.Contains("/"+file+"/", "/"+said+"/")
}

// isWhole reports whether a path begins at the root or at a home.
func isWhole(said string) bool {
	return strings.HasPrefix(said, "/") || strings.HasPrefix(said, "~/") || len(said) > 1 && said[1] == ':'
}

func within(file, folder string) bool {
	return file != "" && (file == folder || strings.HasPrefix(file, folder+"/"))
}

// homes are the folders in which systems keep the homes of people, and the words for one's own.
var homes = strings.Fields("/home/ /users/ c:/users/")

// operatorsHome is the home of the account that may do everything, by the Filesystem Hierarchy Standard, 3.14.
const operatorsHome = "/root"

// belowHome returns the part of a path below somebody's home, empty for a path elsewhere and for the home itself.
func belowHome(file string) string {
	for _, own := range []string{"~/", "$home/", operatorsHome + "/"} {
		if tail, is := strings.CutPrefix(file, own); is {
			return tail
		}
	}
	for _, all := range homes {
		if tail, is := strings.CutPrefix(file, all); is {
			_, below, _ := strings.Cut(tail, "/")
			return below
		}
	}
	return ""
}

func isHomes(said string) bool {
	return said == "/" || said == operatorsHome || slices.ContainsFunc(homes, func(h string) bool { return said+"/" == h || strings.HasPrefix(said, h) })
}

// saysName reports whether a statement has the name of a file as a word of its own, and not at the end of another path.
func (p *Provenance) saysName(name string) bool {
	return slices.ContainsFunc(p.statements, func(s string) bool {
		for from := 0; ; {
			at, ok := holds(s[from:], name)
			if !ok {
				return false
			}
			at += from
			before, end := strings.TrimRight(s[:at], "\"'`“("), at+len(name)
			if alone := end == len(s) || !strings.ContainsAny(s[end:end+1], "/-_.") || end+1 == len(s) || s[end+1] == ' '; alone && (before == "" || strings.HasSuffix(before, " ")) {
				return true
			}
			from = end
		}
	})
}

// saysFolder reports whether a statement speaks of a folder by its name: behind a word that says where to ("on my desktop"), or before a word for a folder.
func (p *Provenance) saysFolder(name string) bool {
	return len(name) > 2 && slices.ContainsFunc(p.statements, func(s string) bool {
		words := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \"'`,;:.()!?", r) })
		for i, w := range words {
			if w == name && (i+1 < len(words) && folderWords.Has(words[i+1]) || slices.ContainsFunc(words[max(0, i-near):i], placeWords.Has)) {
				return true
			}
		}
		return false
	})
}

// near is the number of words within which one says where a thing is to go: "in the shared documents".
const near = 3

var (
	folderWords = language.FilePlaces.Row("folder")
	placeWords  = language.FilePlaces.Row("where")
)
