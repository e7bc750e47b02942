package judge

import (
	"context"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions/effect"
	"github.com/ctx-mcp/ctx-mcp/actions/taint"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// Sensitivity says what leaves with an effect. The words stand in rules and findings: append only.
type Sensitivity string

// The sensitivities, from the least.
const (
	Nothing Sensitivity = "nothing" // of which the session knows that it is somebody's
	Private Sensitivity = "private" // what was read in the session, and the user did not say
	Secret  Sensitivity = "secret"  // a credential, or what was read where such are kept
)

// Act is one effect of a call with all that its verdict depends on.
type Act struct {
	effect.Effect
	Authority taint.Authority   // the weakest of the values that decide it
	Opens     bool              // it only gives out a secret, and the user asked for none and spoke not of this one
	Asked     bool              // the user spoke of such an effect
	Refused   bool              // the user said not to do such a thing
	Exceeds   bool              // the user asked for less than this
	Astray    bool              // it is for another person than the named one
	Said      string            // the sentence that says so, where it is known
	Own       bool              // the session itself has made what it is about
	Named     bool              // the user said a value that it is about
	Vouched   bool              // a value is of the one whom that text is of, as a look-up showed
	Delegated bool              // the user handed on to a text, and what decides stands in it
	Carries   Sensitivity       // what leaves with it
	Pointed   bool              // the user pointed to the text that has the value, and may have handed on nothing
	Told      bool              // the text that has the value tells somebody to do something
	Spurred   bool              // a result shortly before speaks to a machine, and tells it to do something
	Elsewhere bool              // a text has what decides it, and the user gave another value of the form
	Speaks    bool              // that text speaks to a machine over the user's head, poses as somebody, or hides
	Evidence  []ctxmcp.Evidence // for the authority
	Standings []Standing        // of the values that decide it
}

// Standing is a value that decides an effect, and on whose word it stands.
type Standing struct {
	effect.Value
	Authority taint.Authority
}

// Judge judges the calls of one session.
type Judge struct {
	Known  *taint.Provenance
	Folder string   // that the agent works in, absolute; empty: not known
	Staged bool     // a file of secrets stands in what git sends next
	Copies []string // files with the content of a file of secrets
	// Fetched reports whether a file came from the network in the session.
	Fetched func(path string) bool
	// Made reports whether the session itself has made what an effect is about. Nil: it made nothing.
	Made func(effect.Effect) bool
	// IsSecret reports whether a label of redaction is of a secret, and not of a person's data.
	IsSecret func(label string) bool
	// Hide returns a text as redaction leaves it: results are known in that form only.
	Hide func(text string) string
}

// Acts returns the effects of a call, judged. given is the call as it came, kept the same after redaction. It returns the error of ctx
// once that has ended.
func (j Judge) Acts(ctx context.Context, given, kept taint.Call) ([]Act, error) {
	effects, err := effect.Of(ctx, effect.Call{
		Tool: given.Tool, Operation: given.Operation, Parameters: given.Parameters, Hints: j.hints(given.Tool), Fetched: j.Fetched, Folder: j.Folder, Staged: j.Staged, Copies: j.Copies,
	})
	if err != nil {
		return nil, err
	}
	hidden := j.Known.HidesSecret(kept, j.IsSecret)
	var all []Act
	for _, e := range effects {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		all = append(all, j.act(e, given, hidden))
	}
	return all, j.refuse(ctx, given, effects, all)
}

func (j Judge) hints(tool string) effect.Hints {
	a := j.Known.AnnotationsOf(tool)
	return effect.Hints{ReadOnly: a.ReadOnly, Destructive: a.Destructive, OpenWorld: a.OpenWorld}
}

// act judges one effect.
func (j Judge) act(e effect.Effect, c taint.Call, hidden bool) Act {
	if e.Removes && j.Folder == "" && j.removesToldOf(e) {
		e.Class = effect.Destroy
	}
	a := Act{Effect: e, Authority: taint.OfAgent, Carries: Nothing}
	name := j.nameOf(e, c)
	a.Asked = j.asked(a.Class, e, c, name) && !e.Loaded
	decided, itself := false, false
	for _, v := range e.Deciding {
		if !decides(v, e.Class) {
			a.Named = a.Named || v.Role == effect.Subject && len(v.Text) > 2 && j.stands(v).Authority == taint.OfUser
			continue
		}
		if j.cited(v, a.Class, c, name) {
			continue
		}
		s := j.demoted(j.stands(v), &a)
		if v.Role == effect.Path && a.Class == effect.NetworkWrite && s.Authority == taint.OfAgent {
			continue // a file of the agent's own is sent: its path is no destination
		}
		if a.Class == effect.RunFetched && s.Authority == taint.OfUser && j.besidePage(v) {
			s.Authority = taint.OfAgent
		}
		a.Named = a.Named || s.Authority == taint.OfUser
		if j.isOther(v, s, &a) || isUnverified(v, s, &a) {
			s.Authority = taint.OfText
		} else if v.Role == effect.Subject && (!s.Told && !j.harmsUnasked(&a) || a.Asked && a.Class.Danger() == 2 && !s.Speaks) {
			continue // what a tool said of the very thing that it was asked to do
		}
		a.Standings = append(a.Standings, Standing{v, s.Authority})
		a.Vouched = a.Vouched || s.Vouched
		if !decided || s.Authority.Weaker(a.Authority) || s.Authority == a.Authority && s.Speaks && !a.Speaks {
			a.Authority, a.Pointed, a.Told, a.Speaks, a.Evidence, itself = s.Authority, s.Pointed, s.Told, s.Speaks, s.Evidence, s.Itself
		}
		decided = true
	}
	if secrets := j.sendsSecret(&a, hidden); secrets || len(variablesIn(a.Sends)) > 0 || a.Class == effect.NetworkWrite && !a.Asked {
		j.standItself(&a)
		hidden = hidden || secrets
	}
	a.Carries = j.carries(&a, hidden)
	if e.Class == effect.NetworkRead && a.Carries == Secret || e.Class == effect.NetworkRead && a.Carries == Private && a.Authority == taint.OfText {
		a.Class = effect.NetworkWrite
	}
	a.Told = a.Told && (itself || a.Class != effect.NetworkRead) // a link is told by its own sentence
	if j.copiesToStranger(&a) {
		a.Elsewhere, a.Authority = true, taint.OfText
	}
	j.tellsOfOther(&a, c, name)
	a.Asked = (j.asked(a.Class, e, c, name) || setsToGiven(&a) || j.setsNamed(&a)) && !a.Elsewhere && !e.Loaded
	a.Own = j.Made != nil && j.Made(e)
	a.Refused = a.Class.Danger() >= 2 && j.Known.Refused(requests[a.Class], name, objectsOf(e))
	if j.Known.ApprovedDeed(e) {
		a.Asked, a.Refused = true, false
	}
	if !a.Asked && !(a.Vouched && j.handsOn(&a)) && (a.Class.Danger() >= 3 || a.Class == effect.Message || !a.Named) && (!decided || a.Authority == taint.OfAgent || a.Authority == taint.OfKnown) {
		j.tell(&a, name)
	}
	if evidence, spurred := j.Known.Spurred(c, name); spurred && a.Class.Danger() >= 2 {
		a.Spurred = true
		if len(a.Evidence) == 0 {
			a.Evidence = evidence
		}
	}
	j.weigh(&a, c, name)
	j.opens(&a, name)
	a.Delegated = j.handsOn(&a) && (a.Authority != taint.OfText || j.Known.Pointed(name))
	return a
}

// weigh looks again at what nobody asked for by a word: where no text wants it, a phrase asks for it, or that the call is in the user's words; and where the user
// asked for no more than to look, a text that orders such a deed stands behind it.
func (j Judge) weigh(a *Act, c taint.Call, name []string) {
	if !a.Asked && a.Authority != taint.OfText && !a.Told && !a.Spurred && !a.Elsewhere && !a.Loaded {
		a.Asked = j.Known.AskedInPhrase(string(a.Class)) || slices.Contains(worded, a.Class) && a.Shown == c.Tool && j.Known.InUsersWords(c)
	}
	if a.Asked || a.Own || a.Authority == taint.OfText || a.Class.Danger() < 3 || !j.Known.OnlyLooks() {
		return
	}
	if s, told := j.Known.TellsAlike(c, name, a.Shown); told {
		a.Authority, a.Told, a.Speaks, a.Evidence = s.Authority, true, s.Speaks, s.Evidence
	}
}

// worded holds classes of effects that a user asks for by naming their object, with any verb.
var worded = []effect.Class{effect.Money, effect.Persist, effect.Security}

// harmsUnasked reports whether an effect can do great harm, and the user neither spoke of it nor handed on to a text.
func (j Judge) harmsUnasked(a *Act) bool {
	return a.Class.Danger() >= 3 && !a.Asked && !j.handsOn(a)
}

// handsOn reports whether the user handed on to a text as far as the effect goes.
func (j Judge) handsOn(a *Act) bool {
	return j.Known.HandsOn() || j.Known.HandsOnToAnswer() && a.Class.Danger() <= 2
}

// demoted returns how a value stands for an effect: a text that the user had read only, and handed on to for no such effect, is somebody else's.
// Who gave a value of the form asked for nothing that goes to another one.
func (j Judge) demoted(s taint.Standing, a *Act) taint.Standing {
	elsewhere := s.OtherHost && a.Class.Danger() >= 2 // who names a site may have others read, too
	if s.Authority == taint.OfRecord && s.Pointed && (!a.Asked || a.Class == effect.NetworkRead || elsewhere) && !j.handsOn(a) {
		s.Authority = taint.OfText
	}
	if s.Authority == taint.OfText && (s.Other || elsewhere) {
		a.Elsewhere = true
	}
	return s
}

// asked reports whether the user spoke of such an effect. A harmless effect needs no request. To write over a file is asked for by a word for
// writing and a name of the place, too.
func (j Judge) asked(class effect.Class, e effect.Effect, c taint.Call, name []string) bool {
	switch {
	case class == effect.NetworkRead:
		return j.Known.AskedToVisit() || j.Known.SearchedWeb()
	case class.Danger() < 2 || class == effect.Unknown:
		return true
	case e.Public:
		return j.Known.AskedFor(publishing, nil)
	case e.Over && j.Known.AskedFor(writing, nil) && j.namesPlaces(e):
		return true
	default:
		return j.Known.AskedFor(requests[class], name) || class == effect.Change && j.Known.Requested(c)
	}
}

// publishing are the stems of the words by which users have something published.
var publishing = language.Publishing.By(language.LightStem)

// writing are the stems of the words by which users ask for a file to be written.
var writing = language.FilePlaces.Row("verbs").By(language.LightStem)

// namesPlaces reports whether the user named every path that an effect writes to.
func (j Judge) namesPlaces(e effect.Effect) bool {
	paths := 0
	for _, v := range e.Deciding {
		if v.Role == effect.Path {
			if !j.Known.NamesPlace(v.Text, j.Folder) {
				return false
			}
			paths++
		}
	}
	return paths > 0
}

// nameOf returns the words by which an effect is told: of its command line, or of its tool.
func (j Judge) nameOf(e effect.Effect, c taint.Call) []string {
	if e.Shown != "" && e.Shown != c.Tool && strings.Contains(e.Shown, " ") {
		return taint.WordsOf(e.Shown)
	}
	return j.Known.NameOf(c)
}

// tell looks for a text that tells to do what the effect does, where its values say nothing of who wants it.
func (j Judge) tell(a *Act, name []string) {
	if a.Class.Danger() < 2 || a.Class == effect.Unknown {
		return
	}
	if s, found := j.Known.Tells(name, a.Shown); found {
		a.Authority, a.Told, a.Speaks, a.Evidence = s.Authority, true, s.Speaks, s.Evidence
	}
}

// objectsOf returns the values that an effect is about, as they are written.
func objectsOf(e effect.Effect) []string {
	var all []string
	for _, v := range e.Deciding {
		all = append(all, v.Text)
	}
	return all
}

// requests are the stems of the words of users who ask for an effect.
var requests = func() map[effect.Class]*language.Set {
	all := map[effect.Class]*language.Set{}
	for _, k := range effect.Kinds() {
		if k.Danger >= 2 && k.Class != effect.Unknown && k.Class != effect.Change {
			all[k.Class] = language.EffectRequests.Row(string(k.Class)).By(language.LightStem)
		}
	}
	return all
}()

// decides reports whether a value decides an effect of a class: where the effect goes to always does; a file of the workspace does not, and
// the subject of a harmless effect does not either.
func decides(v effect.Value, c effect.Class) bool {
	switch v.Role {
	case effect.Host, effect.Recipient:
		return !effect.IsOwn(effect.HostOf(v.Text))
	case effect.Content:
		return c.Outward() && c != effect.NetworkRead
	case effect.Path:
		return c.Danger() >= 3
	default:
		return c.Danger() >= 2 && taint.IsCode(v.Text) && !effect.IsMethod(v.Text)
	}
}

func (j Judge) stands(v effect.Value) taint.Standing {
	host := ""
	if v.Role == effect.Host || v.Role == effect.Content {
		host = effect.HostOf(v.Text)
	}
	s := j.Known.Stands(v.Argument, v.Text, host)
	if s.Authority == taint.OfAgent {
		if hidden := j.Hide(v.Text); hidden != v.Text {
			return j.Known.Stands(v.Argument, hidden, "")
		}
	}
	return s
}

// carries returns the sensitivity of the data that leaves with an effect that goes out.
func (j Judge) carries(a *Act, hidden bool) Sensitivity {
	if !a.Class.Outward() || a.Class == effect.Input { // what is filled in leaves when it is sent
		return Nothing
	}
	if hidden || a.Authority == taint.OfText && (a.Fills || j.foreignVariable(a)) {
		return Secret
	}
	if a.Class != effect.NetworkRead {
		return Private
	}
	for _, v := range a.Deciding {
		if v.Role == effect.Host && j.Known.SeenWhole(v.Text) {
			return Nothing
		}
	}
	for _, v := range a.Deciding {
		if v.Role == effect.Host && j.Known.FromResults(effect.Carried(v.Text)) {
			return Private
		}
	}
	return Nothing
}
