package relations

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/language/lexicon"
)

//go:embed tables/*.txt kinds/*.txt
var files embed.FS

// Relation is a relation with how sure a text is about it.
type Relation struct {
	Name   string
	Answer Kind // the kind of its usual answer
	Tool   bool // it is a kind of tools: a question for it asks which of them is used
	// Weight is 1 for a form that is about the relation, .4 for a word that may be about it, and between for several such words.
	Weight float64
}

// relation is a row of a table.
type relation struct {
	name      string
	answer    Kind
	asks      []form // of questions
	tells     []form // of statements
	tool      bool   // it has the names of tools
	questions []string
	says      []string
}

// form is one way to be about a relation.
type form struct {
	elements []element
	weak     bool
}

// tables is the content of the files.
type tables struct {
	relations []relation
	asks      index
	tells     index
}

// all are the relations, and answers the kinds of answers, in the same form.
var (
	all     = sync.OnceValue(func() *tables { return mustRead("tables") })
	answers = sync.OnceValue(func() *tables { return mustRead("kinds") })
)

func mustRead(folder string) *tables {
	t, err := read(files, folder)
	if err != nil { // they are part of the binary
		panic(err)
	}
	return t
}

// read reads the tables of a folder.
func read(from fs.FS, folder string) (*tables, error) {
	names, err := fs.Glob(from, folder+"/*.txt")
	if err != nil {
		return nil, err
	}
	t := &tables{asks: index{}, tells: index{}}
	for _, name := range names {
		text, err := fs.ReadFile(from, name)
		if err != nil {
			return nil, err
		}
		if err := t.parse(string(text)); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	for i, r := range t.relations {
		t.asks.add(r.asks, i)
		t.tells.add(r.tells, i)
	}
	return t, nil
}

// parse reads a table: "[name] kind" begins a relation, and each line that follows has a label before its forms, which are
// divided by commas, or before one sample.
func (t *tables) parse(text string) error {
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if err := t.line(line); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
	return nil
}

func (t *tables) line(line string) error {
	if line[0] == '[' {
		name, kind, _ := strings.Cut(line[1:], "] ")
		if !kinds[Kind(kind)] {
			return fmt.Errorf("%q is no kind of answer", kind)
		}
		if slices.ContainsFunc(t.relations, func(r relation) bool { return r.name == name }) {
			return fmt.Errorf("the relation %s stands twice", name)
		}
		t.relations = append(t.relations, relation{name: name, answer: Kind(kind)})
		return nil
	}
	label, rest, _ := strings.Cut(line, " ")
	if len(t.relations) == 0 {
		return fmt.Errorf("%q stands before the first relation", line)
	}
	r := &t.relations[len(t.relations)-1]
	switch label {
	case "ask:":
		return addForms(rest, false, &r.asks)
	case "tell:":
		return addForms(rest, false, &r.tells)
	case "both:":
		return addForms(rest, false, &r.asks, &r.tells)
	case "weak:":
		return addForms(rest, true, &r.asks, &r.tells)
	case "tools:":
		return r.addTools(rest)
	case "?":
		r.questions = append(r.questions, rest)
	case "!":
		r.says = append(r.says, rest)
	default:
		return fmt.Errorf("%q is no label", label)
	}
	return nil
}

// addTools adds the names of the tools of a kind to the words of the relation. One that is a word of English too is weak.
func (r *relation) addTools(kind string) error {
	r.tool = true
	rows := language.SoftwareKinds.Rows()
	at := slices.IndexFunc(rows, func(row language.Row) bool { return row.Head == kind })
	if at < 0 {
		return fmt.Errorf("there are no tools of the kind %q", kind)
	}
	for _, tool := range rows[at].Words {
		for _, name := range language.Spellings(tool) {
			if err := addForms(name, lexicon.Namesake(name), &r.tells); err != nil {
				return err
			}
		}
	}
	return nil
}

func addForms(text string, weak bool, to ...*[]form) error {
	for _, written := range strings.Split(text, ",") {
		elements, err := parseForm(written)
		if err != nil {
			return err
		}
		for _, list := range to {
			*list = append(*list, form{elements, weak})
		}
	}
	return nil
}
