package stories

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Story is a session in plain text: statements of the user, and calls with their results.
type Story struct {
	Title  string
	Folder string // that the agent works in; empty: not known
	Steps  []Step
}

// Step is a statement of the user, or a call.
type Step struct {
	Said      string
	Tool      string
	Arguments json.RawMessage
	Result    string
	Verdict   string // echo, clean, or "" for either; of settings: allow, ask, stop, deny, or "" for any
}

//go:embed sessions.txt
var sessions string

//go:embed settings.txt
var settings string

//go:embed browse.txt
var browse string

// All returns the sessions of sessions.txt.
func All() []Story { return read(sessions) }

// Settings returns the sessions of settings.txt, whose title begins with the setting, and with "attacked" behind it where one is.
func Settings() []Story { return read(settings) }

// Browse returns the sessions of browse.txt, in the form of those of Settings.
func Browse() []Story { return read(browse) }

//go:embed spellings.txt
var spellings string

// Spellings returns the sessions of spellings.txt, in the form of those of Settings. A call without a word in an ordinary one says allow.
func Spellings() []Story { return allowing(read(spellings)) }

//go:embed calm.txt
var calm string

// Calm returns the sessions of calm.txt of which rules are learnt, and those that nobody reads who writes rules.
// A call without a word in an ordinary one says allow.
func Calm() (learnt, frozen []Story) { return halves(allowing(read(calm))) }

//go:embed work.txt
var work string

// Work returns the sessions of work.txt in the form of those of Calm.
func Work() (learnt, frozen []Story) { return halves(allowing(read(work))) }

//go:embed refusals.txt
var refusals string

// Refusals returns the sessions of refusals.txt, of which each call says stop or allow: those for learning rules, and those that no writer of rules reads.
func Refusals() (learnt, frozen []Story) { return halves(read(refusals)) }

//go:embed acts.txt
var acts string

// Acts returns the sessions of acts.txt in the form of those of Refusals, of which every second pair is for learning rules.
func Acts() (learnt, frozen []Story) { return halvesOfPairs(read(acts)) }

// halves returns every second session from the first, and the others.
func halves(all []Story) (learnt, frozen []Story) {
	for i, story := range all {
		if i%2 == 0 {
			learnt = append(learnt, story)
		} else {
			frozen = append(frozen, story)
		}
	}
	return learnt, frozen
}

//go:embed pairs.txt
var pairs string

// Pairs returns the sessions of pairs.txt: those for learning rules, and those that no writer of rules reads.
func Pairs() (learnt, frozen []Story) { return halvesOfPairs(read(pairs)) }

//go:embed public.txt
var public string

// Public returns the sessions of public.txt in the form of those of Pairs. A call without a word in an ordinary one says allow.
func Public() (learnt, frozen []Story) { return halvesOfPairs(allowing(read(public))) }

//go:embed errands.txt
var errands string

// Errands returns the sessions of errands.txt in the form of those of Public.
func Errands() (learnt, frozen []Story) { return halvesOfPairs(allowing(read(errands))) }

//go:embed handed.txt
var handed string

// Handed returns the sessions of handed.txt, all of them ordinary, in the form of those of Calm.
func Handed() (learnt, frozen []Story) { return halves(allowing(read(handed))) }

//go:embed tending.txt
var tending string

// Tending returns the sessions of tending.txt, all of them ordinary, in the form of those of Calm.
func Tending() (learnt, frozen []Story) { return halves(allowing(read(tending))) }

//go:embed lures.txt
var lures string

// Lures returns the sessions of lures.txt, all of them attacked, in the form of those of Calm.
func Lures() (learnt, frozen []Story) { return halves(read(lures)) }

//go:embed services.txt
var services string

// Services returns the sessions of services.txt, all of them ordinary, in the form of those of Calm.
func Services() (learnt, frozen []Story) { return halves(allowing(read(services))) }

//go:embed baits.txt
var baits string

// Baits returns the sessions of baits.txt, all of them attacked, in the form of those of Calm.
func Baits() (learnt, frozen []Story) { return halves(read(baits)) }

//go:embed vaults.txt
var vaults string

// Vaults returns the sessions of vaults.txt in the form of those of Public.
func Vaults() (learnt, frozen []Story) { return halvesOfPairs(allowing(read(vaults))) }

//go:embed desks.txt
var desks string

// Desks returns the sessions of desks.txt in the form of those of Calm.
func Desks() (learnt, frozen []Story) { return halves(allowing(read(desks))) }

//go:embed wordings.txt
var wordings string

// Wordings returns the sessions of wordings.txt, in the form of those of Settings. A call without a word in an ordinary one says allow.
func Wordings() []Story { return allowing(read(wordings)) }

// halvesOfPairs returns every second pair of sessions from the first, and the others.
func halvesOfPairs(all []Story) (learnt, frozen []Story) {
	for i, story := range all {
		if i/2%2 == 0 {
			learnt = append(learnt, story)
		} else {
			frozen = append(frozen, story)
		}
	}
	return learnt, frozen
}

func read(text string) []Story {
	_, rest, _ := strings.Cut(text, "\n== ")
	var all []Story
	for part := range strings.SplitSeq(rest, "\n== ") {
		title, body, _ := strings.Cut(part, "\n")
		one := Story{Title: title}
		if line, after, _ := strings.Cut(body, "\n"); strings.HasPrefix(line, "folder: ") {
			one.Folder, body = strings.TrimPrefix(line, "folder: "), after
		}
		var shared []Step
		if line, after, _ := strings.Cut(body, "\n"); strings.HasPrefix(line, "same ") {
			shared, body = begun(all[len(all)-1].Steps, strings.TrimPrefix(line, "same ")), after
		}
		one.Steps = steps(shared, body)
		all = append(all, one)
	}
	return all
}

// begun returns the steps of a session up to the call of a number.
func begun(all []Step, number string) []Step {
	calls, _ := strconv.Atoi(number)
	for i, step := range all {
		if step.Tool == "" {
			continue
		}
		if calls--; calls == 0 {
			return slices.Clone(all[:i+1])
		}
	}
	return nil
}

// steps returns the steps of a session that begins with some.
func steps(all []Step, body string) []Step {
	for line := range strings.Lines(body) {
		line = strings.TrimSuffix(line, "\n")
		switch word, rest, _ := strings.Cut(line, " "); word {
		case "user:":
			all = append(all, Step{Said: rest})
		case "|":
			all[len(all)-1].Result += rest + "\n"
		case "call":
			tool, arguments, _ := strings.Cut(rest, " ")
			end := strings.LastIndex(arguments, "}") + 1
			all = append(all, Step{Tool: tool, Arguments: json.RawMessage(arguments[:end]), Verdict: strings.TrimSpace(arguments[end:])})
		}
	}
	return all
}

// allowing lets the calls of ordinary sessions that have no word say allow.
func allowing(all []Story) []Story {
	for _, story := range all {
		if strings.Contains(story.Title, ", attacked: ") {
			continue
		}
		for j, step := range story.Steps {
			if step.Tool != "" && step.Verdict == "" {
				story.Steps[j].Verdict = "allow"
			}
		}
	}
	return all
}
