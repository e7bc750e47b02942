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
