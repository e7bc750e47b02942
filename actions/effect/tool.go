package effect

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// commandTools are words in the names of tools that run command lines.
var commandTools = strings.Fields("bash shell terminal exec execute ssh run command sh cmd console powershell pwsh process subprocess repl zsh")

// commands reads command lines in the arguments. It reports whether there was one.
func (r *reading) commands() bool {
	words := r.words()
	client := slices.IndexFunc(words, func(w string) bool { return isClient(w) || IsCloud(w) || slices.Contains(databases, w) })
	runs := slices.ContainsFunc(words, func(w string) bool { return slices.Contains(commandTools, w) })
	if client < 0 && !runs {
		return false
	}
	found := false
	var list []string // a command line whose words are items
	at := ""
	for _, a := range r.arguments {
		if !a.holdsCommand() || a.exact {
			continue
		}
		if strings.Count(a.pointer, "/") > 1 {
			list, at = append(list, a.text), a.pointer[:strings.LastIndexByte(a.pointer, '/')]
			continue
		}
		found = true
		r.script(withClient(words, client, a.text), a.pointer, 0)
	}
	if len(list) > 0 {
		found = true
		r.script(withClient(words, client, strings.Join(list, " ")), at, 0)
	}
	return found
}

// isClient reports whether a command has subcommands, so that a tool may be named after it.
func isClient(name string) bool {
	return slices.ContainsFunc(commandTable()[name], func(c command) bool { return len(c.sub) > 0 })
}

// withClient puts the client after which a tool is named before its command line.
func withClient(words []string, client int, line string) string {
	if client < 0 || strings.HasPrefix(strings.TrimSpace(line), words[client]+" ") {
		return line
	}
	return words[client] + " " + line
}

// words returns the words of the tool's name and of its operation, without those that say nothing.
func (r *reading) words() []string {
	name := r.call.Tool
	all := language.ToolNameWords(name)
	if op := r.call.Operation; !strings.EqualFold(op, name) && !language.IdleOperations.Has(strings.ToLower(op)) && !language.ToolWords.Has(strings.ToLower(op)) {
		all = append(all, language.ToolNameWords(op)...)
	}
	return r.said(all)
}

// ownWords returns the words of a name without those of the server whose tool it is.
func (r *reading) ownWords(words []string) []string {
	server, _ := language.ToolName(r.call.Tool)
	return words[min(len(words), len(r.said(language.ToolNameWords(server)))):]
}

// said returns the words of a name that say something.
func (r *reading) said(words []string) []string {
	return slices.DeleteFunc(words, func(w string) bool { return language.ToolWords.Has(w) && w != "new" })
}

// named classifies a call by the name of its tool, its hints, and where its arguments lead.
func (r *reading) named() {
	words := r.words()
	class := r.classOfName(r.ownWords(words))
	if class == Unknown {
		class = r.classOfName(words)
	}
	if verb := r.serviceWords(); len(verb) > 0 {
		if c := r.classOfName(slices.Concat(verb, words)); class == Unknown || c.Danger() > class.Danger() {
			class = c
		}
	}
	web := slices.ContainsFunc(words, language.WebSearches.Has)
	if class == Unknown && web {
		class = Read
	}
	e := Effect{Class: class, Shown: cmp.Or(r.label, r.call.Tool)}
	e.Deciding, e.Makes = r.deciding(e.Class), r.makes(words)
	e = r.where(e, words)
	e = r.byHints(e)
	if e.Class == Change && !(r.makesRecord() && slices.ContainsFunc(words, isParty)) && slices.ContainsFunc(r.arguments, func(a argument) bool { return a.named(keys.payees) }) {
		e.Class = Money // who changes where money goes moves it, later
	}
	if e.Class.Outward() {
		e.Sends = r.sent()
	}
	e.Web = web && (e.Class == Read || e.Class == NetworkRead)
	r.add(e)
}

// classOfName classifies by the words of the name. The thing clicked says more than the click.
func (r *reading) classOfName(words []string) Class {
	has := func(list ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(list, w) })
	}
	switch {
	case has("think", "thinking", "thought", "sequentialthinking", "todo", "todos", "reminder", "timer", "bookmark", "todowrite"), len(words) == 1 && has("plan"):
		return Local
	case has("user") && has("ask", "respond", "answer", "reply", "send", "tell") && !r.hasRecipient():
		return Read
	case has("click", "tap", "press"):
		return r.clicked()
	case has("fill", "type", "select", "check", "choose", "hover", "scroll", "drag") && r.hasElement():
		return Input
	case has("evaluate", "eval", "javascript", "js") || has("execute") && has("script"):
		return r.evaluatedCode()
	case has("login", "signin", "authenticate", "logout", "signout", "otp", "captcha"):
		return Input
	}
	c := classOfWords(words)
	if r.handsOver() {
		c = classByVerb(words)
	}
	if c != Read && has("browser", "playwright", "puppeteer") && has(viewing...) {
		return Input
	}
	return c
}

// handsOver reports whether an argument is a receiver or a text for one: with it "mail_report" mails a report, and without it there is one to look at.
func (r *reading) handsOver() bool {
	return slices.ContainsFunc(r.arguments, func(a argument) bool { return a.named(keys.handed) })
}

// viewing are words in the names of tools of a browser that change the view, and nothing of the page.
var viewing = strings.Fields("close console dialog hover key network pdf requests resize screenshot snapshot tab tabs wait")

// serviceWords returns the words of an argument that names which of its services a tool does, as "lock.unlock".
func (r *reading) serviceWords() []string {
	for _, a := range r.arguments {
		if slices.Contains(keys.services, a.key) && !a.exact && serviceName.MatchString(a.text) {
			at := strings.LastIndexAny(a.text, ".:") + 1 // what is served stands before the verb
			return r.said(slices.Concat(language.ToolNameWords(a.text[at:]), language.ToolNameWords(a.text[:at]), r.domainWords()))
		}
	}
	return nil
}

// domainWords returns the words of an argument that names the kind of thing that a service is of.
func (r *reading) domainWords() []string {
	for _, a := range r.arguments {
		if a.key == "domain" && serviceName.MatchString(a.text) {
			return language.NameWords(a.text)
		}
	}
	return nil
}

var serviceName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*(?:[._:-][A-Za-z0-9]+)*$`)

func (r *reading) hasRecipient() bool {
	return slices.ContainsFunc(r.arguments, func(a argument) bool { return a.named(keys.recipients) })
}

func (r *reading) hasElement() bool {
	return slices.ContainsFunc(r.arguments, func(a argument) bool {
		return a.key == "element" || a.key == "ref" || a.key == "selector" || a.key == "index" || a.key == "label" || strings.HasPrefix(a.pointer, "/fields/")
	})
}

var sendingCode = language.NewPattern(`(?i)\b(?:fetch\s*\(|xmlhttprequest|sendbeacon|websocket\s*\(|new image\s*\(|\.src\s*=|axios|\$\.(?:post|ajax|get)\b|document\.cookie|localstorage)`)

// evaluatedCode tells what code in a page does: it sends something, or it reads the page.
func (r *reading) evaluatedCode() Class {
	for _, a := range r.arguments {
		if sendingCode.MatchString(a.text) {
			return NetworkWrite
		}
	}
	return Input
}

// deciding returns the arguments that decide what the call does, and the addresses in the texts that it sends.
func (r *reading) deciding(c Class) []Value {
	var all []Value
	for _, a := range r.arguments {
		text := strings.TrimSpace(a.text)
		switch {
		case text == "" || a.named(keys.idle) || text == "true" || text == "false" || text == "null":
		case a.isFree():
			for _, address := range slices.Concat(urlsIn(text), mailForm.FindAllString(text, 16)) {
				if c.Outward() || c == Local {
					all = append(all, Value{Content, address, a.pointer})
				}
			}
		case c == Change && strings.Count(a.pointer, "/") > 1 && r.makesRecord() && (strings.Contains(text, "://") || mailForm.MatchString(text)):
			for _, address := range slices.Concat(urlsIn(text), mailForm.FindAllString(text, 16)) {
				all = append(all, Value{Content, address, a.pointer})
			}
		case strings.Contains(text, "://"):
			all = append(all, Value{Host, text, a.pointer})
		case mailForm.MatchString(text):
			for _, m := range mailForm.FindAllString(text, 32) {
				all = append(all, Value{Recipient, m, a.pointer})
			}
		case a.named(keys.recipients) && !isPath(text):
			all = append(all, Value{Recipient, text, a.pointer})
		case roleOf(text) == Path && !a.named(keys.paths) && !strings.HasPrefix(text, "/") && !strings.HasPrefix(text, ".") && !strings.HasPrefix(text, "~"):
			all = append(all, Value{Subject, text, a.pointer}) // "owner/name", and the like
		default:
			all = append(all, Value{roleOf(text), text, a.pointer})
		}
	}
	return all
}

// makesRecord reports whether the tool makes a new record, of which an address in a field is a part that nothing goes to.
func (r *reading) makesRecord() bool {
	return slices.ContainsFunc(r.words(), func(w string) bool { return slices.Contains(strings.Fields("add append create insert log new"), w) })
}

// where refines a class by the paths, addresses and methods in the arguments.
func (r *reading) where(e Effect, words []string) Effect {
	remote := false
	for _, v := range e.Deciding {
		if v.Role == Host {
			remote = remote || !IsHere(HostOf(v.Text))
		}
	}
	method, body := r.method()
	switch {
	case e.Class == Change && !remote && r.writesFile(words):
		e.Class = Local
	case e.Class == Read && remote:
		e.Class = NetworkRead
	case e.Class == Change && remote && slices.ContainsFunc(words, func(w string) bool { return w == "open" || w == "goto" || w == "load" }):
		e.Class = NetworkRead
	case e.Class == NetworkRead && len(e.Deciding) > 0 && !remote && slices.ContainsFunc(e.Deciding, func(v Value) bool { return v.Role == Host }):
		e.Class = Build
	}
	http := slices.ContainsFunc(words, func(w string) bool {
		return w == "http" || w == "request" || w == "curl" || w == "webhook" || w == "api"
	})
	switch {
	case remote && (method == "POST" || method == "PUT" || method == "PATCH" || http && body && method == ""):
		e.Class = NetworkWrite
	case remote && method == "DELETE":
		e.Class = Destroy
	}
	return r.hooked(r.files(e))
}

// isParty reports whether a word of the name of a tool is for those with whom an office deals: their record holds an account to which nothing goes yet.
func isParty(w string) bool {
	return slices.Contains(strings.Fields("company contact creditor customer debtor employee partner supplier vendor"), singular(w))
}

// writesFile reports whether the tool has a file to write as its argument.
func (r *reading) writesFile(words []string) bool {
	verbs := strings.Fields("append apply copy create edit insert mkdir move multi multiedit notebook overwrite patch rename replace save str update write")
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(verbs, w) }) && slices.ContainsFunc(r.arguments, func(a argument) bool {
		return strings.HasSuffix(a.key, "path") || a.key == "file" || a.key == "filename" || a.key == "notebook"
	})
}

// method returns the HTTP method that the arguments name, and whether there is a body.
func (r *reading) method() (method string, body bool) {
	for _, a := range r.arguments {
		switch {
		case a.named(keys.methods):
			method = strings.ToUpper(a.text)
		case a.key == "body" || a.key == "data" || a.key == "json" || a.key == "payload":
			body = true
		}
	}
	return method, body
}

// files refines a class by the files that are written or read.
func (r *reading) files(e Effect) Effect {
	for _, a := range r.arguments {
		if !a.named(keys.paths) || a.isFree() {
			continue
		}
		switch {
		case slices.Contains(r.words(), "download") || slices.Contains(r.words(), "save") && e.Class == NetworkRead:
			e.Saves = append(e.Saves, path.Clean(a.text))
			fallthrough
		case slices.Contains(r.words(), "save"):
			if c, over := r.classOfWriting(a.text, r.writesAnew(a)); c.Danger() > max(2, e.Class.Danger()) || placeOf(a.text) == secret {
				e.Class, e.Over = max3(c), over
			}
		case e.Class == Read || e.Class == NetworkRead:
			e.Secret = e.Secret || IsSecret(a.text)
		case e.Class == Local || e.Class == Change || e.Class == Unknown || e.Class == NetworkWrite || e.Class == Destroy:
			c, over := r.classOfWriting(a.text, e.Class == Local && r.writesAnew(a))
			if c.Danger() > e.Class.Danger() {
				e.Class, e.Over, e.Argument, e.Deciding = c, over, a.pointer, append([]Value{{Path, a.text, a.pointer}}, contents(e.Deciding)...)
			} else if e.Class == Destroy && isPath(a.text) && !r.outside(a.text) {
				e.Class, e.Removes = Local, true
			}
		}
	}
	if words := r.words(); e.Class == Read && (secretWords(words) && !lists(r.ownWords(words)) && !slices.Contains(words, "list") || r.givesSecret(words)) {
		e.Secret = true
	}
	if e.Class.Danger() >= 2 && e.Class.Danger() < Security.Danger() && slices.ContainsFunc(r.arguments, func(a argument) bool {
		return !a.isFree() && grantsAll([]string{a.text, a.key + "=" + a.text})
	}) {
		e.Class = Security
	}
	return e
}

// writesAnew reports whether the tool takes the place of the file that an argument names. A tool that makes something new, or that
// gets a folder and chooses the name itself, does not, unless it says that it destroys.
func (r *reading) writesAnew(a argument) bool {
	if h := r.call.Hints.Destructive; h != nil && *h {
		return true
	}
	folder := slices.ContainsFunc(strings.Fields("dir directory folder"), func(w string) bool { return strings.HasSuffix(a.key, w) })
	has := func(verbs []string) bool {
		return slices.ContainsFunc(r.words(), func(w string) bool { return slices.Contains(verbs, w) })
	}
	makes := has(append(makingVerbs, "mkdir")) && !has(strings.Fields("overwrite put replace update upsert write"))
	return !makes && !(folder && has(strings.Fields("download export save")))
}

// max3 returns the class of writing where it is dangerous, else that of a setting of security: a folder of keys.
func max3(c Class) Class {
	if c.Danger() > 2 {
		return c
	}
	return Security
}

// contents returns the addresses in the texts of a call.
func contents(all []Value) []Value {
	return slices.DeleteFunc(slices.Clone(all), func(v Value) bool { return v.Role != Content })
}

// byHints lets what the tool says of itself speak where its name says nothing, or less.
func (r *reading) byHints(e Effect) Effect {
	is := func(hint *bool) bool { return hint != nil && *hint }
	h := r.call.Hints
	switch {
	case is(h.ReadOnly) && e.Class.Danger() < 3 && e.Class != NetworkRead:
		e.Class = Read
	case h.Destructive != nil && *h.Destructive && e.Class == Unknown:
		e.Class = Destroy
	case is(h.OpenWorld) && e.Class == Unknown:
		e.Class = NetworkWrite
	case h.ReadOnly != nil && !*h.ReadOnly && h.Destructive != nil && !*h.Destructive && (e.Class == Destroy || e.Class == Unknown):
		e.Class = Change
	}
	return e
}

// sent returns the content that leaves with a call: its texts, and the data in its addresses.
func (r *reading) sent() []string {
	var all []string
	for _, a := range r.arguments {
		if a.exact || a.text == "" {
			continue
		}
		if HostOf(a.text) == "" {
			all = append(all, a.text)
		}
		for _, u := range urlsIn(a.text) {
			all = append(all, Carried(u)...)
		}
	}
	return all
}

// loaded matches an address that whoever shows a text fetches by itself: of an image, or in a formula.
var loaded = language.NewPattern(`(?i)!\[[^\]]*\]\(\s*<?(https?://[^\s)>]+)|<(?:img|script|iframe|link)\b[^>]*?(?:src|href)\s*=\s*["']?(https?://[^\s"'>]+)|\b(?:importxml|importdata|importhtml|webservice|image|importfeed)\s*\(\s*["'](https?://[^"']+)`)

// embedded adds the addresses that a text has its readers' programs fetch, where they carry something.
func (r *reading) embedded() {
	for _, a := range r.arguments {
		if r.ended() || !strings.Contains(a.text, "://") {
			continue
		}
		for _, m := range loaded.FindAllStringSubmatch(a.text, 16) {
			address := m[1] + m[2] + m[3]
			if data := Carried(address); strings.ContainsAny(address, "?#") || len(data) > 2 {
				r.add(Effect{Class: NetworkWrite, Shown: address, Argument: a.pointer, Deciding: []Value{{Host, address, a.pointer}}, Sends: data, Loaded: true})
			}
		}
	}
}
