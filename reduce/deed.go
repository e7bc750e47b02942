package reduce

import "strings"

// deed is what a call does, as far as its words tell.
type deed uint8

const (
	otherDeed   deed = iota
	viewDeed         // shows a file
	searchDeed       // looks for files, or in them
	editDeed         // writes a file
	runDeed          // runs a program or its tests
	historyDeed      // asks the version control
)

// deeds are the words of tools and commands, in the order of the table the first that is found decides.
var deeds = map[string]deed{
	"cat": viewDeed, "sed": viewDeed, "nl": viewDeed, "head": viewDeed, "tail": viewDeed, "less": viewDeed, "read": viewDeed, "view": viewDeed,
	"open": viewDeed, "goto": viewDeed, "read_file": viewDeed, "scroll_down": viewDeed,
	"grep": searchDeed, "rg": searchDeed, "find": searchDeed, "ls": searchDeed, "fd": searchDeed, "glob": searchDeed, "search": searchDeed,
	"search_file": searchDeed, "search_dir": searchDeed, "find_file": searchDeed, "tree": searchDeed, "list_directory": searchDeed,
	"write": editDeed, "edit": editDeed, "create": editDeed, "apply_patch": editDeed, "patch": editDeed, "str_replace": editDeed,
	"insert": editDeed, "tee": editDeed, "write_file": editDeed, "edit_file": editDeed, "multiedit": editDeed,
	"python": runDeed, "python3": runDeed, "pytest": runDeed, "node": runDeed, "npm": runDeed, "npx": runDeed, "go": runDeed, "make": runDeed,
	"cargo": runDeed, "tox": runDeed, "gcc": runDeed, "java": runDeed, "mvn": runDeed, "tsx": runDeed, "test": runDeed,
	"git": historyDeed,
}

// deedOf returns what a call does, by the first word of it that says so. A file that is written by redirection is edited.
func deedOf(call string) deed {
	call = call[:min(len(call), 400)]
	first := otherDeed
	for _, word := range strings.FieldsFunc(call, func(r rune) bool { return r <= ' ' || strings.ContainsRune("|&;:()\"'", r) }) {
		if d, known := deeds[strings.ToLower(word)]; known {
			first = d
			break
		}
	}
	if first == viewDeed && (strings.Contains(call, "<<") || strings.Contains(call, "sed -i")) {
		return editDeed
	}
	return first
}
