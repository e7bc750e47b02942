package refusal

import (
	"context"
	_ "embed" // for the table
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/ctx-mcp/ctx-mcp/actions/effect"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// Act is one thing that a call does, as refusals speak of it.
type Act struct {
	Kinds     []string
	Stems     []string // of the words of its name
	Changes   bool     // it does more than look, test or build
	Temporary bool     // it writes nothing but files for the moment
	Tries     bool     // it is only tried out
	runs      string   // the file that is run
	words     []string // of all that it is about, so that words for the same thing are the same
	values    []string // as they are written
	deeds     []string // kinds of deeds that may go further than what was asked for
}

//go:embed acts.tsv
var actRows string

// command is a row of the table of acts.
type command struct {
	sub, flags, kinds []string
}

// actTable holds the rows by the command.
var actTable = sync.OnceValue(func() map[string][]command {
	all := map[string][]command{}
	for _, cells := range effect.RowsOf(actRows, 4) {
		c := command{kinds: strings.Split(cells[3], ",")}
		if cells[1] != "-" {
			c.sub = strings.Fields(cells[1])
		}
		if cells[2] != "-" {
			c.flags = strings.Split(cells[2], ",")
		}
		all[cells[0]] = append(all[cells[0]], c)
	}
	return all
})

// classKinds are the kinds of acts of the classes of effects.
var classKinds = map[effect.Class][]string{
	effect.Local: {editKind}, effect.Change: {"change"}, effect.Install: {installKind}, effect.Message: {sendKind}, effect.NetworkWrite: {"upload"},
	effect.Money: {spendKind}, effect.Access: {shareKind}, effect.Destroy: {deleteKind}, effect.Infra: {deployKind}, effect.RunFetched: {runKind, installKind},
	effect.Persist: {"change"}, effect.Security: {"change"}, effect.Build: nil, effect.Unknown: nil,
}

// Acts returns the acts of a call that has the effects. It returns the error of ctx once that has ended.
func Acts(ctx context.Context, c effect.Call, effects []effect.Effect) ([]Act, error) {
	commands, err := effect.Commands(ctx, c)
	if err != nil {
		return nil, err
	}
	classes := map[string]effect.Class{}
	var all []Act
	for _, e := range effects {
		classes[e.Shown] = e.Class
		if e.Class != effect.Read && e.Class != effect.NetworkRead && e.Class != effect.Input {
			all = append(all, ofEffect(c, e, len(commands) > 0))
		}
	}
	if len(commands) == 0 && len(all) > 0 {
		arguments, err := effect.Arguments(ctx, c)
		if err != nil {
			return nil, err
		}
		all[0].deeds = deedsOfTool(language.NameWords(c.Tool+" "+c.Operation), effects, arguments)
	}
	branch := ""
	for _, one := range commands {
		a := ofCommand(one, classes[strings.Join(one.Argv, " ")])
		if one.Argv[0] == "git" && branch != "" && slices.Contains(a.Kinds, pushKind) {
			a.words = append(a.words, branch)
		}
		branch = switched(one.Argv, branch)
		all = append(all, a)
	}
	return all, nil
}

// switched returns the branch to which git goes by a command.
func switched(argv []string, branch string) string {
	if len(argv) < 3 || argv[0] != "git" || argv[1] != "checkout" && argv[1] != "switch" {
		return branch
	}
	if slices.Contains(argv, "--") {
		return branch
	}
	for _, w := range argv[2:] {
		if !strings.HasPrefix(w, "-") {
			return w
		}
	}
	return branch
}

// ofEffect returns the act of an effect.
func ofEffect(c effect.Call, e effect.Effect, line bool) Act {
	a := Act{Kinds: classKinds[e.Class]}
	a.Changes = e.Class == effect.Unknown && !line || len(a.Kinds) > 0
	if e.Removes {
		a.Kinds = []string{deleteKind}
	}
	if e.Over {
		a.Kinds = append(slices.Clone(a.Kinds), editKind)
	}
	paths, temporary := 0, 0
	for _, v := range e.Deciding {
		a.about(v.Text, false)
		if v.Role == effect.Path {
			paths++
			if effect.IsTemporary(v.Text) {
				temporary++
			}
		}
	}
	a.Temporary = paths > 0 && paths == temporary
	if line {
		return a
	}
	name := language.NameWords(c.Tool)
	for _, w := range name {
		a.Stems = append(a.Stems, baseOf(w))
		if isSystem(word{text: w}) { // "do not post it on Slack"
			a.words = append(a.words, thingOf(w))
		}
	}
	a.named(name)
	if e.Class == effect.Local && !slices.Contains(name, "edit") && slices.ContainsFunc(e.Deciding, func(v effect.Value) bool {
		return v.Role == effect.Path && documents.Has(strings.TrimPrefix(path.Ext(strings.ToLower(v.Text)), "."))
	}) {
		a.Stems = append(a.Stems, newDocument)
	}
	if e.Class == effect.Local && paths == 0 && !sharesKind(a.Kinds, []string{deleteKind}) {
		a.Changes, a.Kinds = false, nil // a list of the agent's own
	}
	return a
}

// named adds the kinds of the verbs in the name of a tool that does more than look. Words such as "order" and "book" name a thing as often: a purchase
// shows in the class of the effect as well, and an invoice that is made buys nothing.
func (a *Act) named(name []string) {
	if !slices.ContainsFunc(name, func(w string) bool {
		return slices.Contains(verbKinds()[baseOf(w)], spendKind) || slices.Contains(nounKinds()[w], spendKind)
	}) {
		a.Kinds = slices.DeleteFunc(slices.Clone(a.Kinds), func(k string) bool { return k == spendKind })
	}
	if slices.Contains(name, "draft") || slices.Contains(name, "drafts") {
		a.Kinds = slices.DeleteFunc(slices.Clone(a.Kinds), func(k string) bool { return k == sendKind })
		return
	}
	for _, w := range name {
		for _, k := range verbKinds()[baseOf(w)] {
			if k != allKinds && k != runKind && k != spendKind && !slices.Contains(a.Kinds, k) && !thingNames.Has(w) {
				a.Kinds = append(slices.Clone(a.Kinds), k)
			}
		}
	}
}

// about takes down a value that the act is about. whole says that only the parts of a path count as words, not those of a name.
func (a *Act) about(value string, whole bool) {
	if strings.Count(value, " ") > 3 || len(value) > 300 {
		return
	}
	a.values = append(a.values, value)
	lower := strings.ToLower(value)
	for _, part := range strings.FieldsFunc(lower, func(r rune) bool { return strings.ContainsRune(" /:=,+@", r) }) {
		a.words = append(a.words, thingOf(part))
		if !whole {
			for _, w := range language.NameWords(part) {
				a.words = append(a.words, thingOf(w))
			}
		}
	}
}

// ofCommand returns the act of one command.
func ofCommand(one effect.Command, class effect.Class) Act {
	name, rest := one.Argv[0], one.Argv[1:]
	var a Act
	for _, row := range actTable()[name] {
		if row.fits(rest) {
			if row.kinds[0] == noKind {
				a.Kinds = nil
				break
			}
			a.Kinds = append(a.Kinds, row.kinds...)
		}
	}
	a.scripted(name, rest)
	a.deeds = deedsOfCommand(one.Argv, a.Kinds, class)
	a.Changes = len(a.Kinds) > 0
	a.Tries = slices.ContainsFunc(rest, func(w string) bool {
		return dryFlags.Has(strings.ToLower(strings.SplitN(w, "=", 2)[0]))
	})
	if a.Tries {
		a.Kinds, a.Changes = nil, false
	}
	branches := slices.Contains(a.Kinds, pushKind)
	for _, w := range slices.Concat(rest, one.Behind) {
		if strings.HasPrefix(w, "-") {
			_, w, _ = strings.Cut(w, "=")
		}
		if w != "" {
			a.about(w, branches)
		}
	}
	if one.Folder != "" {
		a.about(one.Folder, branches)
	}
	a.Temporary = slices.ContainsFunc(rest, effect.IsTemporary) && !slices.ContainsFunc(rest, func(w string) bool {
		return !strings.HasPrefix(w, "-") && !effect.IsTemporary(w)
	})
	tests := slices.ContainsFunc(one.Argv, func(w string) bool { return strings.Contains(w, "test") || strings.Contains(w, "spec") })
	if class != effect.Read && class != effect.Local && !tests && !a.Tries && class != "" {
		a.Kinds = append(a.Kinds, runKind)
	}
	return a
}

// scripted adds the kinds that the name of a script, or of a target, tells.
func (a *Act) scripted(name string, rest []string) {
	target := ""
	switch {
	case strings.HasSuffix(name, ".sh") || strings.HasSuffix(name, ".py") || strings.HasSuffix(name, ".js"):
		target = name
	case runners.Has(name), interpreters.Has(name):
		at := slices.IndexFunc(rest, func(w string) bool { return !strings.HasPrefix(w, "-") && w != "run" && w != "exec" })
		if at < 0 {
			return
		}
		target = rest[at]
	default:
		return
	}
	a.runs = path.Base(target)
	a.about(a.runs, false)
	if ownTargets.Has(target) {
		return
	}
	for _, w := range language.NameWords(strings.TrimSuffix(a.runs, path.Ext(a.runs))) {
		if vagueNames.Has(w) {
			continue
		}
		for _, k := range verbKinds()[baseOf(w)] {
			if k != allKinds && k != runKind {
				a.Kinds = append(a.Kinds, k)
			}
		}
	}
}

// fits reports whether a row has the subcommand, beside flags and their values, and one of the flags.
func (c command) fits(rest []string) bool {
	if len(c.flags) > 0 && !slices.ContainsFunc(rest, func(w string) bool { return c.hasFlag(w) }) {
		return false
	}
	var operands []string
	for _, w := range rest {
		if !strings.HasPrefix(w, "-") {
			operands = append(operands, w)
		}
	}
	for from := 0; from <= min(2, len(operands)-len(c.sub)); from++ {
		if slices.Equal(operands[from:from+len(c.sub)], c.sub) {
			return true
		}
	}
	return len(c.sub) == 0
}

func (c command) hasFlag(w string) bool {
	name, _, _ := strings.Cut(w, "=")
	return slices.ContainsFunc(c.flags, func(f string) bool {
		return name == f || len(f) == 2 && f[0] == '-' && len(w) > 2 && len(w) <= 5 && w[0] == '-' && w[1] != '-' && strings.Contains(w[1:], f[1:])
	})
}
