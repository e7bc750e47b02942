package effect

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// argument is one text or number in the parameters of a call.
type argument struct {
	key     string // its name, in lower case without signs; that of the list for an item
	pointer string
	text    string
	exact   bool // a boolean or a number
}

const (
	maxArguments = 256     // that are looked at
	longText     = 1 << 20 // bytes of an argument that are read
)

// flatten returns the arguments of a call in the order of their names.
func flatten(ctx context.Context, parameters map[string]any) ([]argument, error) {
	f := flattening{ctx: ctx}
	f.object("", parameters)
	return f.all, f.err
}

// Argument is a text, a number or a boolean in the parameters of a call.
type Argument struct{ Name, Text string } // the name in lower case without signs; that of the list for an item

// Arguments returns the arguments of a call in the order of their names. It returns the error of ctx once that has ended.
func Arguments(ctx context.Context, c Call) ([]Argument, error) {
	flat, err := flatten(ctx, c.Parameters)
	all := make([]Argument, 0, len(flat))
	for _, a := range flat {
		all = append(all, Argument{a.key, a.text})
	}
	return all, err
}

type flattening struct {
	ctx context.Context
	err error
	all []argument
}

func (f *flattening) object(at string, o map[string]any) {
	keys := make([]string, 0, len(o))
	for k := range o {
		keys = append(keys, k)
	}
	if f.err = ijson.SortDuring(f.ctx, keys, strings.Compare); f.err != nil {
		return
	}
	for _, k := range keys {
		f.value(plainKey(k), at+"/"+escapePointer(k), o[k])
	}
}

func (f *flattening) value(key, at string, v any) {
	if f.err == nil {
		f.err = f.ctx.Err()
	}
	if f.err != nil || len(f.all) >= maxArguments {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		f.object(at, v)
	case []any:
		for i, item := range v {
			f.value(key, at+"/"+strconv.Itoa(i), item)
		}
	case string:
		f.all = append(f.all, argument{key, at, v[:min(len(v), longText)], false})
	case json.Number:
		f.all = append(f.all, argument{key, at, v.String(), true})
	case float64:
		f.all = append(f.all, argument{key, at, strconv.FormatFloat(v, 'f', -1, 64), true})
	case bool:
		f.all = append(f.all, argument{key, at, strconv.FormatBool(v), true})
	}
}

var keySigns = strings.NewReplacer("_", "", "-", "", " ", "", ".", "")

// plainKey returns the name of an argument as tables have it.
func plainKey(key string) string { return keySigns.Replace(strings.ToLower(key)) }

var pointerSigns = strings.NewReplacer("~", "~0", "/", "~1")

func escapePointer(name string) string { return pointerSigns.Replace(name) }

// keys are names of arguments by what they hold.
var keys = struct{ commands, statements, paths, urls, methods, free, recipients, labels, idle, payees, services, handed []string }{
	commands:   []string{"command", "cmd", "commands", "commandline", "shell", "shellcommand", "script", "bash", "line", "args", "argv", "arguments", "input", "code"},
	statements: []string{"sql", "query", "statement", "statements", "queries"},
	paths: []string{"path", "filepath", "filename", "file", "target", "targetfile", "targetpath", "dest", "destination", "destinationpath",
		"savepath", "savedir", "output", "outputpath", "outputfile", "notebookpath", "localpath", "uri", "to", "newpath", "directory", "folder"},
	urls:    []string{"url", "uri", "link", "href", "endpoint", "address", "site", "website", "page", "src", "image", "imageurl", "webhook", "webhookurl", "callbackurl"},
	methods: []string{"method", "verb", "httpmethod"},
	free: []string{"body", "bodyhtml", "caption", "cells", "comment", "content", "contents", "data", "description", "details", "entries", "formula", "html", "markdown",
		"message", "note", "notes", "newstring", "observations", "oldstring", "newtext", "oldtext", "patch", "prompt", "reason", "replacement", "report", "rows", "subject",
		"summary", "text", "thought", "title", "todos", "value", "values"},
	recipients: []string{"to", "cc", "bcc", "recipient", "recipients", "email", "emails", "user", "username", "users", "userid", "member", "members", "invitee",
		"attendees", "participants", "channel", "channels", "phone", "phonenumber", "number", "iban", "account", "accountnumber", "beneficiary", "payee",
		"assignee", "owner", "newowner", "collaborator", "principal", "principalarn", "useremail", "contact", "customer", "group", "forwardto", "replyto",
		"sendto", "address"},
	payees:   []string{"iban", "bankaccount", "bankdetails", "payoutaccount", "payoutmethod", "routingnumber", "sortcode", "bic", "swift"},
	handed:   []string{"to", "cc", "bcc", "recipient", "recipients", "sendto", "forwardto", "body", "bodyhtml", "comment", "content", "contents", "message", "text"},
	services: []string{"service", "action", "operation", "op", "function"},
	labels:   []string{"element", "label", "name", "button", "selector", "ref", "text"},
	idle: []string{"limit", "offset", "page", "pagesize", "format", "timeout", "timeoutms", "maxresults", "count", "priority", "status", "force", "recursive", "overwrite",
		"currency", "currencycode", "unit", "units", "language", "locale", "timezone", "encoding", "usergoogleemail"},
}

// isFree reports whether an argument is a text for readers, and not a value that decides.
func (a argument) isFree() bool {
	return slices.Contains(keys.free, a.key) || len(a.text) > 200 || strings.Count(a.text, " ") > 9
}

// holdsCommand reports whether an argument holds a command line: "cli_command" does, too.
func (a argument) holdsCommand() bool {
	return a.named(keys.commands) || strings.HasSuffix(a.key, "command")
}

func (a argument) named(list []string) bool { return slices.Contains(list, a.key) }
