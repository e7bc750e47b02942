package language

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// cased are the lists whose entries have capitals.
var cased = []string{
	"en/abbreviations.txt", "en/acronyms.txt", "names/given.txt", "names/nicknames.txt", "names/no_idents.txt", "names/places.txt",
	"names/systems.txt",
}

// disjoint are the lists that have no entry in common, in either case, and why. A name with a "*" is of every
// language that has the list, but the other.
var disjoint = []struct{ one, other, why string }{
	{"en/function_words.txt", "*/function_words.txt", "one word tells English, two tell another language"},
	{"en/function_words.txt", "de/frequent.txt", "a word of English tells no German"},
	{"en/fillers.txt", "en/negations.txt", "a word that denies adds something"},
	{"en/negations.txt", "en/unspecific.txt", "a target is not found without what it denies"},
	{"en/titles.txt", "names/given.txt", "a title is no part of a name"},
	{"en/organizations.txt", "en/human_verbs.txt", "what ends the name of an organization says nothing of a person"},
	{"en/reading_verbs.txt", "en/idle_operations.txt", "a verb that looks says what a tool does"},
	{"en/tool_words.txt", "en/idle_operations.txt", "an operation is not named without what a tool is named without already"},
	{"names/places.txt", "names/systems.txt", "a name is of one kind"},
	{"names/no_idents.txt", "en/titles.txt", "what stands before a number stands before no name"},
}

// TestLists: every list says what it is and who uses it, is sorted, and holds each entry once and in the case that is looked
// up.
func TestLists(t *testing.T) {
	for _, name := range allLists(t) {
		raw, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if comment := head(string(raw)); len(strings.Fields(comment)) < 8 {
			t.Errorf("%s does not say what it is and who uses it: %q", name, comment)
		}
		for _, group := range groupsOf(name) {
			if len(group) == 0 {
				t.Errorf("%s has an empty row", name)
			}
			checkOrder(t, name, group)
			for _, e := range group {
				if e != strings.TrimSpace(e) || e == "" || strings.Contains(e, "  ") || strings.Contains(e, ",") {
					t.Errorf("%s: %q is no entry: it has a comma or spaces too many", name, e)
				}
				if !slices.Contains(cased, name) && e != strings.ToLower(e) {
					t.Errorf("%s: %q has capitals: nothing is found by it", name, e)
				}
			}
		}
	}
}

// checkOrder reports entries that are given twice, or out of order: by letters, and by capitals where the letters are the same.
func checkOrder(t *testing.T, name string, entries []string) {
	t.Helper()
	for i := 1; i < len(entries); i++ {
		before, e := entries[i-1], entries[i]
		switch order := strings.Compare(strings.ToLower(before)+"\n"+before, strings.ToLower(e)+"\n"+e); {
		case order == 0:
			t.Errorf("%s has %q twice", name, e)
		case order > 0:
			t.Errorf("%s: %q stands behind %q", name, e, before)
		}
	}
}

// TestRows: a form belongs to one head, where a table brings forms together.
func TestRows(t *testing.T) {
	for name, tab := range map[string]*Table{"irregular_forms": irregularForms, "twins": twinWords, "genres": Genres, "commands": Commands} {
		owner := map[string]string{}
		for _, r := range tab.Rows() {
			for _, w := range r.Words {
				if was, taken := owner[w]; taken {
					t.Errorf("%s: %q belongs to %q and to %q", name, w, was, r.Head)
				}
				owner[w] = r.Head
			}
		}
	}
}

// TestDisjoint: lists that mean opposite things share no entry.
func TestDisjoint(t *testing.T) {
	for _, d := range disjoint {
		others, err := fs.Glob(files, d.other)
		if err != nil || len(others) == 0 {
			t.Fatalf("no list %s: %v", d.other, err)
		}
		one := entriesOf(d.one)
		for _, other := range others {
			if other == d.one {
				continue
			}
			for e := range entriesOf(other) {
				if one[e] {
					t.Errorf("%q is in %s and in %s: %s", e, d.one, other, d.why)
				}
			}
		}
	}
}

// TestCommonSystems: a system that is called by a word that opens sentences counts only with its capitals.
func TestCommonSystems(t *testing.T) {
	openers := Openers.By(strings.ToLower)
	for _, r := range Systems.Rows() {
		for _, n := range append([]string{r.Head}, r.Words...) {
			if openers.Has(strings.ToLower(n)) {
				t.Errorf("the system %q is a common word: mark it with \"!\"", n)
			}
		}
	}
}

// TestPhrases: a phrase has only those signs that Either understands.
func TestPhrases(t *testing.T) {
	allowed := regexp.MustCompile(`^[a-z'| ()-]+\*?$`)
	for name, tab := range map[string]*Table{"asks": Asks, "brief": Brief, "tells": Tells, "questions": Questions, "clauses": Clauses, "delegation": Delegation} {
		for _, r := range tab.Rows() {
			if _, err := regexp.Compile(tab.Row(r.Head).Either()); err != nil {
				t.Errorf("%s: row %s: %v", name, r.Head, err)
			}
			for _, phrase := range r.Words {
				if !allowed.MatchString(phrase) {
					t.Errorf("%s: %q has signs that stand for nothing", name, phrase)
				}
			}
		}
	}
}

// TestEveryListIsUsed: each file is the list of a variable here, and each variable has its file.
func TestEveryListIsUsed(t *testing.T) {
	read := regexp.MustCompile(`\b(list|table|everywhere)\("([^"]+)"\)`)
	used := map[string]bool{}
	sources, err := fs.Glob(os.DirFS("."), "*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range sources {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range read.FindAllStringSubmatch(string(source), -1) {
			used[m[2]] = true
		}
	}
	for _, name := range allLists(t) {
		if !used[name] && !used[path.Base(name)] {
			t.Errorf("nothing reads %s", name)
		}
		delete(used, name)
	}
	for name := range used {
		if found, _ := fs.Glob(files, "*/"+name); len(found) == 0 {
			t.Errorf("there is no list %s", name)
		}
	}
}

// allLists returns the names of the files.
func allLists(t *testing.T) []string {
	t.Helper()
	found, err := fs.Glob(files, "*/*.txt")
	if err != nil || len(found) == 0 {
		t.Fatalf("no lists: %v", err)
	}
	return found
}

// head returns the comment that a file begins with.
func head(text string) string {
	var comment []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "# ") {
			break
		}
		comment = append(comment, strings.TrimSpace(line[2:]))
	}
	return strings.Join(comment, " ")
}

// isTable reports whether a file holds rows.
func isTable(all []string) bool {
	return len(all) > 0 && strings.HasPrefix(all[0], "[") || slices.ContainsFunc(all, func(l string) bool { return strings.Contains(l, ": ") })
}

// groupsOf returns the groups that have an order of their own: the entries of a list; the heads of a table, and the words of each row.
func groupsOf(name string) [][]string {
	all := lines(name)
	if !isTable(all) {
		return [][]string{all}
	}
	groups := [][]string{nil}
	for _, r := range parseRows(all) {
		groups[0] = append(groups[0], r.Head)
		if len(r.Words) > 0 || strings.HasPrefix(all[0], "[") {
			groups = append(groups, r.Words)
		}
	}
	return groups
}

// entriesOf returns all entries of a file in lower case, heads included.
func entriesOf(name string) map[string]bool {
	set := map[string]bool{}
	for _, e := range slices.Concat(groupsOf(name)...) {
		set[strings.ToLower(strings.TrimSuffix(e, "!"))] = true
	}
	return set
}
