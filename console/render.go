package console

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

//go:embed pages assets
var files embed.FS

// assets are the files that a page loads, by their media types.
var assets = map[string]string{
	"style.css": "text/css; charset=utf-8", "console.js": "text/javascript; charset=utf-8", "enter.js": "text/javascript; charset=utf-8",
	"plane.js": "text/javascript; charset=utf-8", "pieces.js": "text/javascript; charset=utf-8",
	"icon.svg": "image/svg+xml",
}

// asset serves one embedded file.
func asset(name, kind string) http.Handler {
	body, err := fs.ReadFile(files, "assets/"+name)
	if err != nil {
		panic(err) // the table names a file that is not there
	}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write(body)
	})
}

// pages are read when the first is asked for: most runs show none.
var pages = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"shown": shown, "when": when, "during": during, "name": name, "made": madeID.MatchString, "bytes": Bytes, "authority": authorityText,
		"stamp": stamp, "short": ctxmcp.ShortID, "words": words, "plural": plural, "base": func() string { return Base },
		"entries": func() []entry { return entries }, "percent": func(share float64) float64 { return 100 * share },
		"clip": func(text string) string { return ctxmcp.Clip(text, 240) }, "fates": func() []string { return []string{"compiled", "omitted", "quarantined"} },
	}).ParseFS(files, "pages/*.html"))
})

// entry is an entry of the navigation.
type entry struct{ Path, Name string }

var entries = []entry{
	{"memories", "Memories"}, {"entities", "Entities"}, {"reviews", "Reviews"}, {"waiting", "Waiting"}, {"contexts", "Contexts"},
	{"conversations", "Conversations"}, {"sessions", "Sessions"}, {"tasks", "Tasks"}, {"artifacts", "Artifacts"}, {"gateway", "Gateway"}, {"audit", "Audit"}, {"health", "Health"},
}

// frame surrounds the data of a page.
type frame struct {
	Title    string
	Under    string // the entry of the navigation
	Who      string
	Version  string
	Secret   string
	JSON     string // address of the page as JSON
	ReadOnly bool
	Erase    bool
	Data     any
}

// read answers with a page, or its data as JSON.
func (c *Console) read(w http.ResponseWriter, r *http.Request, page reading) {
	by, err := c.gate.caller(r)
	if err != nil {
		c.gate.outside(w, r, err)
		return
	}
	id, asJSON := strings.CutSuffix(r.PathValue("id"), ".json")
	asJSON = asJSON || strings.HasSuffix(page.pattern, "$}") && r.URL.Query().Has("json") || strings.HasSuffix(r.URL.Path, ".json")
	data, err := page.load(c, visit{r, by, id})
	if err != nil {
		c.fail(w, r, err)
		return
	}
	if asJSON {
		writeJSON(w, data)
		return
	}
	f := frame{Under: page.under, Who: by.User, Version: c.o.Version, ReadOnly: c.o.ReadOnly, Erase: c.o.AllowErase, JSON: jsonAddress(r), Data: data}
	if t, ok := data.(titled); ok {
		f.Title = t.title()
	}
	show(w, http.StatusOK, page.template, f)
}

// titled is data that names its page.
type titled interface{ title() string }

func jsonAddress(r *http.Request) string {
	u := *r.URL
	if u.Path == Base {
		return Base + "?json"
	}
	u.Path += ".json"
	return u.RequestURI()
}

// write carries a form out, and goes on at the page that it names.
func (c *Console) write(w http.ResponseWriter, r *http.Request, form writing) {
	by, err := c.gate.caller(r)
	if err != nil {
		c.gate.outside(w, r, err)
		return
	}
	if c.o.ReadOnly {
		c.fail(w, r, ctxmcp.Errorf(ctxmcp.CodeDenied, "the server is read-only").WithHint("start it without read_only to change something"))
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		c.fail(w, r, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the form is malformed or over %d bytes", maxForm))
		return
	}
	next, err := form.do(c, visit{r, by, r.PathValue("id")})
	if err != nil {
		c.fail(w, r, err)
		return
	}
	http.Redirect(w, r, Base+next, http.StatusSeeOther)
}

// statuses are the HTTP statuses of the codes that a page can meet.
var statuses = map[ctxmcp.Code]int{
	ctxmcp.CodeInvalid: http.StatusBadRequest, ctxmcp.CodeNotFound: http.StatusNotFound, ctxmcp.CodeDenied: http.StatusForbidden,
	ctxmcp.CodeConflict: http.StatusConflict, ctxmcp.CodeTooLarge: http.StatusRequestEntityTooLarge,
	ctxmcp.CodeUnavailable: http.StatusServiceUnavailable,
}

// fail answers with what went wrong. An error that is not meant for a caller is logged, and not shown.
func (c *Console) fail(w http.ResponseWriter, r *http.Request, err error) {
	shownError := ctxmcp.Errorf(ctxmcp.CodeInternal, "something went wrong inside").WithHint("the server's log has the details")
	if e, ok := errors.AsType[*ctxmcp.Error](err); ok && e.Code != ctxmcp.CodeInternal {
		shownError = e
	} else {
		c.o.Logger.ErrorContext(r.Context(), "console", "path", r.URL.Path, "error", err)
	}
	status := statuses[shownError.Code]
	if status == 0 {
		status = http.StatusInternalServerError
	}
	if strings.HasSuffix(r.URL.Path, ".json") {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(shownError)
		return
	}
	show(w, status, "failed", frame{Title: "That did not work", Version: c.o.Version, Data: shownError})
}

// show writes a page whole, or a plain failure.
func show(w http.ResponseWriter, status int, name string, f frame) {
	var page bytes.Buffer
	if err := pages().ExecuteTemplate(&page, name, f); err != nil {
		http.Error(w, "the page could not be made: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(page.Bytes())
}

func writeJSON(w http.ResponseWriter, data any) {
	body, err := json.MarshalIndent(data, "", "  ")
	if err != nil {
		http.Error(w, "the answer could not be made", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(append(body, '\n'))
}

// piece is a stretch of a stored text: as it is, or one that must not act by itself and is named instead.
type piece struct {
	Text   string `json:"text"`
	Hidden bool   `json:"hidden,omitempty"` // an invisible or bidirectional character, by its code point
	Secret bool   `json:"secret,omitempty"` // the place of a secret that was taken out
}

// shown cuts a stored text into pieces, so that a page can show each as what it is.
func shown(text string) []piece {
	var all []piece
	for _, part := range splitSecrets(text) {
		if part.Secret {
			all = append(all, part)
			continue
		}
		start := 0
		for i, r := range part.Text {
			if !containment.Hidden(r) && (!unicode.IsControl(r) || r == '\n' || r == '\t') {
				continue
			}
			if i > start {
				all = append(all, piece{Text: part.Text[start:i]})
			}
			all = append(all, piece{Text: fmt.Sprintf("U+%04X", r), Hidden: true})
			start = i + len(string(r))
		}
		if start < len(part.Text) {
			all = append(all, piece{Text: part.Text[start:]})
		}
	}
	return all
}

// splitSecrets cuts a text at the placeholders of secrets that were taken out.
func splitSecrets(text string) []piece {
	var all []piece
	from := 0
	for _, place := range redact.Placeholders(text) {
		all = append(all, piece{Text: text[from:place[0]]}, piece{Text: text[place[0]:place[1]], Secret: true})
		from = place[1]
	}
	return append(all, piece{Text: text[from:]})
}

// when writes an instant for a person, in UTC; a dash where there is none.
func when(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.UTC().Format(minuteForm)
}

const minuteForm = "2006-01-02 15:04"

// during writes a stretch of time for a person. A line is broken between its instants alone.
func during(from, to time.Time) string {
	if to.IsZero() {
		return unbroken("since " + when(from))
	}
	return unbroken(when(from)) + " " + unbroken("to "+when(to))
}

// unbroken returns a text that stands in one line.
func unbroken(text string) string {
	return strings.NewReplacer(" ", "\u00a0", "-", "\u2011").Replace(text)
}

// name writes an id for a person: an id that was made here by its end, one that a caller chose as it is.
func name(id string) string {
	if madeID.MatchString(id) {
		return ctxmcp.ShortID(id)
	}
	return ctxmcp.Clip(id, 60)
}

var madeID = regexp.MustCompile(`^(sha256:[0-9a-f]{64}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$`)

// Bytes writes a size for a person.
func Bytes(n int64) string {
	units := []string{"bytes", "KB", "MB", "GB", "TB"}
	size, i := float64(n), 0
	for size >= 1000 && i < len(units)-1 {
		size, i = size/1000, i+1
	}
	if i == 0 || size >= 100 {
		return fmt.Sprintf("%.0f %s", size, units[i])
	}
	return fmt.Sprintf("%.1f %s", size, units[i])
}

// authorities are the words of the numbers.
var authorities = []string{"platform", "developer", "user", "agent", "retrieved"}

func authorityText(a ctxmcp.Authority) string {
	if int(a) < 0 || int(a) >= len(authorities) {
		return "unknown"
	}
	return authorities[a]
}

// stamp writes an instant for an address.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

var wordBreaks = strings.NewReplacer("_", " ", ".", ", ")

// words writes a word of a vocabulary for a person.
func words(word any) string { return strings.ToLower(wordBreaks.Replace(fmt.Sprint(word))) }

// plural writes a number with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
