package connect

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// Name is the name of ctx-mcp's entry in every client.
const Name = "ctx-mcp"

// Scope says for whom a client is configured.
type Scope string

// The scopes: one user in all projects, or everyone in one project.
const (
	User    Scope = "user"
	Project Scope = "project"
)

// Client is a program that starts MCP servers, or connects to them.
type Client struct {
	Name, Title string
	Next        string // the user's next step after the file was written
	Source      string // where its form is documented, or the command that was run
	Date        string // of the source

	user      byPlatform
	project   []string // relative to the project
	marks     []string // of these one exists where the client is installed
	program   string   // the name of its program, if that tells that it is installed
	format    format
	at        []string // the objects around the servers
	local     func(Server) Fields
	remote    func(Server) Fields
	reference string // how a header names a variable of the environment: NAME stands for it; "" where the client reads none
	noRemote  string // where the user connects a remote server instead, if the file cannot
	hooks     *hooking
}

// byPlatform holds the candidates for a file: the first that exists is it, else the first. In them ~ is the home, and {NAME|default} a
// variable of the environment or its default.
type byPlatform struct{ linux, darwin, windows []string }

func everywhere(files ...string) byPlatform { return byPlatform{files, files, files} }

// Find returns the client with the name, or an error that lists the names.
func Find(name string) (Client, error) {
	for _, c := range Clients() {
		if c.Name == name {
			return c, nil
		}
	}
	return Client{}, ctxmcp.Errorf(ctxmcp.CodeInvalid, "client %q is not known: use one of %s", name, Names())
}

// Names returns the names of the clients, with commas.
func Names() string {
	var names []string
	for _, c := range Clients() {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}

// Place is the machine and the folder that clients are configured on.
type Place struct {
	OS      string // as runtime.GOOS
	Home    string // the user's
	Project string // the root of the project
	Getenv  func(string) string
	Program func(name string) bool // whether a program is on the PATH
}

var variable = regexp.MustCompile(`\{(\w+)\|([^}]*)\}`)

// expand returns the path that a row of the table means here.
func (p Place) expand(row string) string {
	row = variable.ReplaceAllStringFunc(row, func(v string) string {
		m := variable.FindStringSubmatch(v)
		if set := p.Getenv(m[1]); set != "" {
			return filepath.ToSlash(set)
		}
		return m[2]
	})
	if rest, ok := strings.CutPrefix(row, "~"); ok {
		row = p.Home + rest
	}
	return filepath.FromSlash(row)
}

// Shown returns a path as people write it, with ~ for the home.
func (p Place) Shown(path string) string {
	if rest, ok := strings.CutPrefix(path, p.Home+string(filepath.Separator)); ok && p.Home != "" {
		return "~" + string(filepath.Separator) + rest
	}
	return path
}

// File returns the client's file of a scope; "" if it has none.
func (p Place) File(c Client, s Scope) string { return p.find(c.user, c.project, s) }

// find returns the path of a file of a scope, the first that exists of its candidates, else the first.
func (p Place) find(user byPlatform, project []string, s Scope) string {
	rows := project
	if s == User {
		rows = map[string][]string{"darwin": user.darwin, "windows": user.windows}[p.OS]
		if rows == nil {
			rows = user.linux
		}
	}
	if len(rows) == 0 {
		return ""
	}
	paths := make([]string, len(rows))
	for i, row := range rows {
		if paths[i] = p.expand(row); s == Project {
			paths[i] = filepath.Join(p.Project, paths[i])
		}
	}
	return paths[max(slices.IndexFunc(paths, exists), 0)]
}

// Installed reports whether something of the client is here.
func (p Place) Installed(c Client) bool {
	return c.program != "" && p.Program(c.program) ||
		slices.ContainsFunc(c.marks, func(m string) bool { return exists(p.expand(m)) }) || exists(p.File(c, User))
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// edit returns the change of the client's file that makes the wanted entry.
func (c Client) edit(want any) edit {
	e := edit{at: c.at, name: Name, want: want}
	if _, list := c.format.(yamlFile); list {
		e.name, e.mine = "", func(v any) bool {
			item, _ := v.(map[string]any)
			return item["name"] == Name
		}
	}
	return e
}
