package effect

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// requestVerbs are the words by which the methods of HTTP are told (RFC 9110, section 9.3). The others look only.
var requestVerbs = map[string]string{"POST": "create", "PUT": "update", "PATCH": "update", "DELETE": "delete"}

// classOfAPI classifies a command that makes a request of its service, as "gh api": by the method, and by the object that the path ends with.
func classOfAPI(rest []string) Class {
	method := strings.ToUpper(valueOf(rest, "-X", "--method"))
	if method == "" && has(rest, []string{"-f", "-F", "--field", "--raw-field", "--input"}) {
		method = "POST"
	}
	operands := operandsOf(rest)
	at := slices.IndexFunc(operands, func(w string) bool {
		return w != "api" && !strings.EqualFold(w, method) && !strings.Contains(w, "=")
	})
	switch {
	case at < 0:
		return Read
	case operands[at] == "graphql":
		return classOfGraphQL(rest)
	}
	return classOfRequest(method, operands[at])
}

// classOfRequest classifies a request by its method and path. A path ends with the object, or with the list of which the object before it is an item.
func classOfRequest(method, path string) Class {
	verb, writes := requestVerbs[method]
	if !writes {
		return Read
	}
	path, _, _ = strings.Cut(path, "?")
	parts := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	things := parts[max(0, len(parts)-2):]
	if method == "POST" {
		things = parts[max(0, len(parts)-1):] // the list to which something is added
	}
	var found Class
	for _, part := range things {
		words := language.NameWords(part)
		if len(words) == 0 || len(words) > 2 {
			continue // a name that somebody gave
		}
		for _, o := range operationTable() {
			if o.objects != nil && in(o.verbs, verb) && o.about(words, "") {
				if found == "" || o.class.Danger() > found.Danger() {
					found = o.class
				}
				break
			}
		}
	}
	switch {
	case found != "" && found != Local:
		return found
	case method == "DELETE":
		return Destroy
	default:
		return Change
	}
}

// classOfGraphQL tells a query from a mutation by its first word (GraphQL, section 2.3).
func classOfGraphQL(rest []string) Class {
	for _, w := range rest {
		if _, text, is := strings.Cut(w, "query="); is && strings.HasPrefix(strings.TrimSpace(text), "mutation") {
			return Change
		}
	}
	return Read
}

// IsMethod reports whether a text is the name of a method of HTTP, which is the object of nothing.
func IsMethod(text string) bool {
	switch text {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS":
		return true
	}
	return false
}
