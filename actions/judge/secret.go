package judge

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/actions/effect"
	"github.com/ctx-mcp/ctx-mcp/actions/taint"
	"github.com/ctx-mcp/ctx-mcp/language"
)

// sendsSecret reports whether a credential is in what leaves, as far as its text tells. hidden says that redaction found one in the call.
func (j Judge) sendsSecret(a *Act, hidden bool) bool {
	return hidden || a.Leaks || a.Class.Outward() && slices.ContainsFunc(a.Sends, func(text string) bool {
		return j.Known.HoldsSecret(text) || secretPath(text) && a.Class != effect.Message && a.Class != effect.Change
	})
}

// opens tells whether an effect does no more than to give out a secret, though the user asked for none and did not speak of this one, and whether a text says to: by the name of the
// secret or of its place outside of the workspace, or by the command.
func (j Judge) opens(a *Act, name []string) {
	if !a.Secret || a.Class.Danger() >= 2 || j.wants(a, name) || j.Known.ApprovedDeed(a.Effect) {
		return
	}
	opens := false
	for _, v := range a.Deciding {
		place := v.Role == effect.Path && effect.IsSecret(v.Text)
		if place && !j.isElsewhere(v.Text) {
			return
		}
		opens = true
		if v.Role == effect.Recipient || v.Role != effect.Host && !taint.IsCode(v.Text) {
			continue
		}
		switch s := j.stands(v); {
		case s.Authority == taint.OfUser, s.Authority == taint.OfRecord && j.Known.HandsOn():
			return
		case (s.Authority == taint.OfText || s.Authority == taint.OfRecord) && s.Told:
			a.Authority, a.Told, a.Speaks, a.Evidence = taint.OfText, true, s.Speaks, s.Evidence
		}
	}
	a.Opens = opens || len(a.Deciding) == 0
	if a.Authority == taint.OfText {
		return
	}
	if s, told := j.Known.Tells(name, a.Shown); told && s.Authority == taint.OfText {
		a.Authority, a.Told, a.Speaks, a.Evidence = s.Authority, true, s.Speaks, s.Evidence
	}
}

// wants reports whether the user asked for a secret itself, or named in a sentence about secrets what an effect opens: its tool or command, or an object.
func (j Judge) wants(a *Act, name []string) bool {
	if j.Known.WantsSecret() {
		return true
	}
	command, _, _ := strings.Cut(a.Shown, " ")
	names := append([]string{command}, name...)
	for _, v := range a.Deciding {
		names = append(names, v.Text)
	}
	return slices.ContainsFunc(names, func(w string) bool { return !effect.SaysLittle(command, w) && j.Known.NamedWithSecret(w) })
}

// isElsewhere reports whether a path is whole, and not below the folder that the agent works in.
func (j Judge) isElsewhere(path string) bool {
	whole := strings.HasPrefix(path, "/") || strings.HasPrefix(path, "~") || strings.HasPrefix(path, "$") || strings.HasPrefix(path, "..")
	return whole && (j.Folder == "" || !strings.HasPrefix(path, strings.TrimSuffix(j.Folder, "/")+"/"))
}

// standItself takes the user's word from an address that a credential goes to, or data that nobody asked to send, where the user said another address of the same owner,
// and only a text this one.
func (j Judge) standItself(a *Act) {
	for i, s := range a.Standings {
		if s.Role != effect.Host || s.Authority != taint.OfUser {
			continue
		}
		alone := j.demoted(j.Known.StandsItself(s.Argument, s.Text, effect.HostOf(s.Text)), a)
		if alone.Authority == taint.OfText || alone.Authority == taint.OfRecord && a.Class == effect.NetworkWrite {
			a.Standings[i].Authority = alone.Authority
			a.Authority, a.Told, a.Speaks, a.Evidence = alone.Authority, alone.Told, alone.Speaks, alone.Evidence
		}
	}
}

// variablesIn returns the variables of a shell in texts that are named after a secret.
func variablesIn(texts []string) []string {
	return slices.DeleteFunc(slices.Clone(texts), func(t string) bool { return !effect.IsSecretVariable(t) })
}

// foreignVariable reports whether a variable that holds a credential leaves for a host that it is not of. A variable of no name, as TOKEN, may be of
// any: it counts where the text tells to do something.
func (j Judge) foreignVariable(a *Act) bool {
	for _, v := range variablesIn(a.Sends) {
		of := owners(v)
		if len(of) == 0 && !a.Told && !a.Speaks {
			continue
		}
		if !slices.ContainsFunc(a.Deciding, func(d effect.Value) bool {
			return d.Role == effect.Host && slices.ContainsFunc(of, func(w string) bool { return strings.Contains(effect.HostOf(d.Text), w) })
		}) {
			return true
		}
	}
	return false
}

// owners returns the words in the name of a variable that say whose secret it holds, as "github" in GITHUB_TOKEN.
func owners(variable string) []string {
	const short = 3 // letters of a word that may be in any host
	return slices.DeleteFunc(language.NameWords(strings.Trim(variable, "${}")), func(w string) bool {
		return len(w) < short || effect.IsSecretVariable("$"+w) || slices.Contains([]string{"access", "key", "auth", "api", "personal", "private", "bot", "app", "the"}, w)
	})
}

// secretPath reports whether a text names a file where secrets are kept.
func secretPath(text string) bool {
	if len(text) > 4096 {
		return false
	}
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n'\"`()$<>|;,=@", r) }) {
		if effect.IsSecret(w) {
			return true
		}
	}
	return false
}
