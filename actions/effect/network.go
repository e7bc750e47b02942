package effect

import (
	"path"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// network refines the class of a command that talks to the network, by its addresses and the texts that leave.
func (s *shell) network(name string, e Effect, rest []string) Effect {
	hosts := 0
	method := strings.ToUpper(valueOf(rest, "-X", "--request", "-Method"))
	for _, v := range e.Deciding {
		composed := strings.Contains(v.Text, "$(") && strings.Contains(v.Text, ".")
		if v.Role == Host || v.Role == Recipient || composed {
			hosts++
			e.Sends = append(e.Sends, Carried(v.Text)...)
		}
		if strings.Contains(v.Text, "$(") || strings.HasPrefix(v.Text, "@") || secretIn(v.Text) {
			e.Sends = append(e.Sends, v.Text)
			e.Class = NetworkWrite
		}
	}
	switch {
	case onlyHere(append([]string{name}, rest...)):
		e.Class = Build
		return e
	case method == "POST" || method == "PUT" || method == "PATCH":
		e.Class = NetworkWrite
	case method == "DELETE":
		e.Class = Destroy
	case hosts == 0 && e.Class == NetworkWrite && !e.Public && !e.Leaks && !slices.ContainsFunc(append(e.Sends, s.piped...), secretIn):
		e.Class = Change
	}
	e.Sends = append(e.Sends, variables(rest)...)
	if e.Class == NetworkWrite || e.Class == Message {
		e.Sends = append(e.Sends, s.piped...)
		e.Leaks = e.Leaks || s.leaks
		e.Fills = fills(rest) || slices.ContainsFunc(rest, s.holdsSecret)
		for _, w := range strings.Fields(s.line) {
			if isPath(w) || strings.Contains(w, "$(") {
				e.Sends = append(e.Sends, strings.TrimLeft(w, "@$("))
			}
		}
		e.Sends = append(e.Sends, strings.Join(rest, " "))
	}
	if e.Class == NetworkRead && slices.Contains(fetchers, name) {
		e.Saves = savedBy(name, rest)
		s.fetched = append(s.fetched, e.Saves...)
	}
	return e
}

// secretIn reports whether a text names a file where secrets are kept.
func secretIn(text string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return r == '=' || r == '@' }), IsSecret)
}

// variables returns the variables in the words of a command, as they are written, that are named after a secret.
func variables(rest []string) []string {
	var all []string
	for _, w := range rest {
		for _, v := range variableForm.FindAllString(w, 16) {
			if IsSecretVariable(v) {
				all = append(all, v)
			}
		}
	}
	return all
}

var variableForm = language.NewPattern(`\$\{?[A-Za-z_][A-Za-z0-9_]*`)

// savedBy returns the files into which a command fetches.
func savedBy(name string, rest []string) []string {
	if to := valueOf(rest, "-o", "--output", "-OutFile", "-O", "--output-document"); to != "" && to != "-" && HostOf(to) == "" {
		return []string{path.Clean(to)}
	}
	if name != "wget" && !has(rest, []string{"-O", "--remote-name"}) {
		return nil
	}
	var all []string
	for _, w := range operandsOf(rest) {
		if HostOf(w) != "" {
			all = append(all, path.Base(w))
		}
	}
	return all
}

// valueOf returns the value of the first of the flags that is there.
func valueOf(rest []string, flags ...string) string {
	for i, w := range rest {
		name, value, has := strings.Cut(w, "=")
		switch {
		case !slices.Contains(flags, name):
		case has:
			return value
		case i+1 < len(rest):
			return rest[i+1]
		}
	}
	return ""
}
