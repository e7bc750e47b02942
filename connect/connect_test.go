package connect

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/storetest/golden"
)

var (
	local  = Server{Command: "/opt/ctx mcp/ctx-mcp", Args: []string{"stdio", "--config", `C:\a "b".yaml`}, Env: map[string]string{"CTX_MCP_IDENTITY_CLEARANCE": "public"}}
	remote = Server{URL: "https://ctx.example.org/mcp", Token: Token{Variable: TokenVariable}}
)

// here returns a place with a home and a project of its own.
func here(t *testing.T) Place {
	return Place{OS: "linux", Home: t.TempDir(), Project: t.TempDir(), Getenv: func(string) string { return "" }, Program: func(string) bool { return false }}
}

// sample returns a file of the client's kind with entries of others, and comments.
func sample(t *testing.T, c Client) string {
	t.Helper()
	name := map[string]string{"codex": "before.toml", "continue": "before.yaml"}[c.Name]
	if name == "" {
		name = "before.json"
	}
	return golden.Read(t, filepath.Join("testdata", name))
}

func put(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// write makes the changes, and returns the text of the first file then; "" if there is none.
func write(t *testing.T, all []Change, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for _, ch := range all {
		if err := ch.Write(); err != nil {
			t.Fatal(err)
		}
	}
	text, _ := os.ReadFile(all[0].Path)
	return string(text)
}

// TestClients connects each client to a file with other entries and to none, twice, and to a remote server, and undoes it all.
func TestClients(t *testing.T) {
	for _, c := range Clients() {
		t.Run(c.Name, func(t *testing.T) {
			var story strings.Builder
			fmt.Fprintf(&story, "What %s is given: local and remote, in a file of others and in a new one.\n", c.Title)
			for _, scope := range []Scope{User, Project} {
				if (here(t)).File(c, scope) == "" {
					continue
				}
				tell(t, &story, c, scope, "local", local)
				if _, err := c.Entry(remote); err != nil {
					fmt.Fprintf(&story, "\n== %s, remote: %v\n", scope, err)
					continue
				}
				tell(t, &story, c, scope, "remote", remote)
			}
			golden.Want(t, "testdata/"+c.Name+".golden", story.String())
		})
	}
}

func tell(t *testing.T, story *strings.Builder, c Client, scope Scope, name string, s Server) {
	t.Helper()
	for _, before := range []string{sample(t, c), ""} {
		p := here(t)
		path := p.File(c, scope)
		if before != "" {
			put(t, path, before, 0o640)
		}
		ch, err := p.Connect(c, scope, s, nil, nil)
		after := write(t, ch, err)
		fmt.Fprintf(story, "\n== %s, %s\n%s", scope, name, after)
		again, err := p.Connect(c, scope, s, nil, nil)
		if err != nil || !again[0].None() {
			t.Errorf("a second connect changes the file: %v\n%s", err, again[0].After)
		}
		if info, err := os.Stat(path); err != nil || before != "" && info.Mode().Perm() != 0o640 {
			t.Errorf("the permissions are %v, %v, want those of before", info.Mode(), err)
		}
		ch, err = p.Undo(c, scope, nil, nil)
		if got := write(t, ch, err); got != before {
			t.Errorf("undo: %s", cmp.Diff(before, got))
		}
		if left, _ := filepath.Glob(filepath.Dir(path) + "/*before*"); len(left) > 0 {
			t.Errorf("undo left %v", left)
		}
	}
}

// TestUndoKeepsLaterChanges changes a file after connect: undo takes out the one entry.
func TestUndoKeepsLaterChanges(t *testing.T) {
	for _, c := range Clients() {
		p := here(t)
		path := p.File(c, User)
		before := sample(t, c)
		put(t, path, before, 0o600)
		ch, err := p.Connect(c, User, local, nil, nil)
		text := write(t, ch, err)
		later := func(s string) string {
			return strings.NewReplacer(`"dark"`, `"light" /* now */`, "gpt-5", "gpt-6", "name: mine", "name: yours").Replace(s)
		}
		put(t, path, later(text), 0o600)
		ch, err = p.Undo(c, User, nil, nil)
		got, want := write(t, ch, err), later(before)
		if got != want {
			t.Errorf("%s: %s", c.Name, cmp.Diff(want, got))
		}
	}
}

// TestAnOwnEntryComesBack connects over an entry that the user wrote.
func TestAnOwnEntryComesBack(t *testing.T) {
	p, c := here(t), client(t, "cursor")
	path := p.File(c, User)
	before := `{"mcpServers": {"ctx-mcp": {"url": "http://127.0.0.1:8080/mcp", "note": 1}, "b": {"command": "b"}}}`
	put(t, path, before, 0o600)
	ch, err := p.Connect(c, User, local, nil, nil)
	write(t, ch, err)
	other := local
	other.Command = "/usr/bin/ctx-mcp" // it was installed elsewhere
	ch, err = p.Connect(c, User, other, nil, nil)
	text := write(t, ch, err)
	put(t, path, strings.Replace(text, `"b"`, `"c"`, 1), 0o600)
	ch, err = p.Undo(c, User, nil, nil)
	got := write(t, ch, err)
	want := `{"mcpServers": {"ctx-mcp": {"note": 1, "url": "http://127.0.0.1:8080/mcp"}, "c": {"command": "b"}}}`
	if got != want {
		t.Errorf("undo: %s", cmp.Diff(want, got))
	}
}

func client(t *testing.T, name string) Client {
	t.Helper()
	c, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestBrokenFiles are refused with their place, and stay as they are.
func TestBrokenFiles(t *testing.T) {
	for _, tc := range []struct{ client, text, want string }{
		{"cursor", "{\n  \"a\": 1,\n  \"b\" 2\n}", "line 3, column 7"},
		{"cursor", "{\"mcpServers\": [", "line 1, column 17"},
		{"cursor", "[1]", "holds no object"},
		{"cursor", `{"mcpServers": null}`, `column 16: "mcpServers" is neither`},
		{"cursor", `{"mcpServers": []}`, "an object is expected"},
		{"cursor", `{"mcpServers": {}, "mcpServers": {}}`, "stands twice"},
		{"cursor", `{"mcpServers": {"ctx-mcp": {}, "ctx-mcp": {"a": 1}}}`, "stands twice"},
		{"codex", "a = 1\nb = \n", "line 2, column 5"},
		{"codex", "a = 1\na = 2\n", "line 2"},
		{"codex", "[mcp_servers]\nctx-mcp = {command = \"x\"}\n", "cannot be changed without touching others"},
		{"codex", "mcp_servers = {a = {command = \"x\"}}\n", "is written inline"},
		{"continue", "name: a\n  b: [\n", "line 1, column 7"},
		{"continue", "mcpServers: [{name: a}]\n", "a list in brackets"},
		{"continue", "mcpServers:\n  a: 1\n", "is no list"},
		{"continue", "a: 1\n---\nb: 2\n", "several documents"},
	} {
		p, c := here(t), client(t, tc.client)
		path := p.File(c, User)
		put(t, path, tc.text, 0o600)
		_, err := p.Connect(c, User, local, nil, nil)
		if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s %q: %v, want the file and %q", tc.client, tc.text, err, tc.want)
		}
		if got := golden.Read(t, path); got != tc.text {
			t.Errorf("%s: the file is %q now", tc.client, got)
		}
	}
}

// TestForms keeps the way that a text is written.
func TestForms(t *testing.T) {
	entry := Fields{{"command", "x"}}
	for _, tc := range []struct{ name, format, text, want string }{
		{"minified", "cursor", `{"a":1,"mcpServers":{"b":{}}}`, `{"a":1,"mcpServers":{"b":{}, "ctx-mcp": {"command": "x"}}}`},
		{"tabs", "cursor", "{\n\t\"a\": 1\n}\n", "{\n\t\"a\": 1,\n\t\"mcpServers\": {\n\t\t\"ctx-mcp\": {\n\t\t\t\"command\": \"x\"\n\t\t}\n\t}\n}\n"},
		{"windows", "cursor", "\ufeff{\r\n  \"a\": 1\r\n}\r\n", "\ufeff{\r\n  \"a\": 1,\r\n  \"mcpServers\": {\r\n    \"ctx-mcp\": {\r\n      \"command\": \"x\"\r\n    }\r\n  }\r\n}\r\n"},
		{"trailing comma", "cursor", "{\n  \"a\": 1, // one\n}\n", "{\n  \"a\": 1, // one\n  \"mcpServers\": {\n    \"ctx-mcp\": {\n      \"command\": \"x\"\n    }\n  },\n}\n"},
		{"only a comment", "cursor", "{\n  // nothing yet\n}\n", "{\n  // nothing yet\n  \"mcpServers\": {\n    \"ctx-mcp\": {\n      \"command\": \"x\"\n    }\n  }\n}\n"},
		{"no line break", "codex", "a = 1", "a = 1\n\n[mcp_servers.ctx-mcp]\ncommand = \"x\"\n"},
		{"table in the middle", "codex", "[mcp_servers.ctx-mcp]\ncommand = \"y\"\n[mcp_servers.ctx-mcp.env]\nA = '''\n[b]\n'''\n# of c\n[c]\nd = 1\n",
			"[mcp_servers.ctx-mcp]\ncommand = \"x\"\n\n# of c\n[c]\nd = 1\n"},
		{"quoted header", "codex", "[ mcp_servers . \"ctx-mcp\" ] # ours\ncommand = \"y\"\n", "[mcp_servers.ctx-mcp]\ncommand = \"x\"\n"},
		{"empty list", "continue", "name: a\nmcpServers: []\nb: 1\n", "name: a\nmcpServers:\n  - name: ctx-mcp\n    command: x\nb: 1\n"},
		{"no list yet", "continue", "name: a\nmcpServers:\nb: 1\n", "name: a\nmcpServers:\n  - name: ctx-mcp\n    command: x\nb: 1\n"},
		{"flush list", "continue", "mcpServers:\n- name: a\n  command: b\nb: 1", "mcpServers:\n- name: a\n  command: b\n- name: ctx-mcp\n  command: x\nb: 1"},
	} {
		c := client(t, tc.format)
		e := entry
		if c.Name == "continue" {
			e = Fields{{"name", Name}, {"command", "x"}}
		}
		got, err := revise(c.format, tc.text, c.edit(e))
		if err != nil || got != tc.want {
			t.Errorf("%s: %v\n%s", tc.name, err, cmp.Diff(tc.want, got))
		}
	}
}

// TestLinks follows a link, and refuses one to nothing.
func TestLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights there")
	}
	p, c := here(t), client(t, "cursor")
	path, real := p.File(c, User), filepath.Join(p.Home, "dotfiles.json")
	put(t, real, "{}", 0o600)
	put(t, path, "", 0o600)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, path); err != nil {
		t.Fatal(err)
	}
	ch, err := p.Connect(c, User, local, nil, nil)
	write(t, ch, err)
	if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 || !strings.Contains(golden.Read(t, real), Name) {
		t.Errorf("the link was replaced: %v, %v", info, err)
	}
	if err := os.Remove(real); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Connect(c, User, local, nil, nil); ctxmcp.CodeOf(err) != ctxmcp.CodeConflict {
		t.Errorf("a link to nothing: %v, want conflict", err)
	}
}

// TestChangedMeanwhile refuses to write over what the client wrote after the file was read.
func TestChangedMeanwhile(t *testing.T) {
	p, c := here(t), client(t, "claude-code")
	path := p.File(c, User)
	put(t, path, `{"a": 1}`, 0o600)
	ch, err := p.Connect(c, User, local, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, `{"a": 2}`, 0o600)
	if err := ch[0].Write(); ctxmcp.CodeOf(err) != ctxmcp.CodeConflict || golden.Read(t, path) != `{"a": 2}` {
		t.Errorf("write over a change: %v, and the file is %s", err, golden.Read(t, path))
	}
}

// TestHooks installs the hooks of each client that has some, beside others and alone, twice, and undoes it all.
func TestHooks(t *testing.T) {
	const others = "{\n  // mine\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"other hook\"}]}\n    ]\n  }\n}\n"
	hooks := &Hooks{Command: []string{"/opt/ctx mcp/ctx-mcp", "hook", "", "--data-dir=/data"}, Events: []string{"SessionStart", "PreToolUse"}}
	var story strings.Builder
	story.WriteString("The files of each client after connect --hooks: with hooks of others, and alone.\n")
	for _, c := range Clients() {
		if !c.HasHooks() {
			if _, err := here(t).Connect(c, User, local, hooks, nil); err == nil {
				t.Errorf("%s has hooks that are not known", c.Name)
			}
			continue
		}
		hooks.Command[2] = c.Name
		_, whole := c.hooks.format.(wholeFile)
		if all, err := here(t).Connect(c, Project, local, hooks, nil); err != nil || !strings.Contains(all[len(all)-1].After, " hook ") && c.Name != "opencode" {
			t.Errorf("%s for a project: %v", c.Name, err)
		}
		for _, before := range []string{others, ""} {
			p, h := here(t), *hooks
			path := p.find(c.hooks.user, c.hooks.project, User)
			if path == "" {
				path = p.File(c, User)
			}
			if before != "" && !whole {
				put(t, path, before, 0o600)
			}
			all, err := p.Connect(c, User, local, &h, nil)
			write(t, all, err)
			for _, ch := range all {
				fmt.Fprintf(&story, "\n== %s, %s\n%s", c.Name, filepath.ToSlash(p.Shown(ch.Path)), golden.Read(t, ch.Path))
			}
			again, err := p.Connect(c, User, local, &h, nil)
			if err != nil || slices.ContainsFunc(again, func(ch Change) bool { return !ch.None() }) {
				t.Errorf("%s: a second connect changes a file: %v", c.Name, err)
			}
			all, err = p.Undo(c, User, &h, nil)
			write(t, all, err)
			for _, ch := range all {
				text, _ := os.ReadFile(ch.Path)
				if want := map[bool]string{true: before}[ch.Path == path && !whole]; string(text) != want || exists(ch.Path) != (want != "") {
					t.Errorf("%s: undo leaves %q in %s", c.Name, text, ch.Path)
				}
			}
		}
	}
	golden.Want(t, "testdata/hooks.golden", story.String())
}

// TestHookPrograms makes hooks that are programs executable, and leaves the program of somebody else alone, undone or not.
func TestHookPrograms(t *testing.T) {
	c, p := client(t, "cline"), here(t)
	hooks := &Hooks{Command: []string{"/opt/ctx-mcp", "hook", "cline", "--data-dir=/data"}, Events: []string{"TaskStart", "PreToolUse"}}
	all, err := p.Connect(c, User, local, hooks, nil)
	write(t, all, err)
	started := filepath.Join(p.Home, ".cline", "hooks", "TaskStart")
	if info, err := os.Stat(started); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the program: %v, %v", info, err)
	}
	all, err = p.Undo(c, User, hooks, nil)
	write(t, all, err)

	const others = "#!/bin/sh\nexit 0\n"
	theirs := filepath.Join(p.Home, ".cline", "hooks", "PreToolUse")
	put(t, theirs, others, 0o700)
	if _, err := p.Connect(c, User, local, hooks, nil); ctxmcp.CodeOf(err) != ctxmcp.CodeConflict || !strings.Contains(err.Error(), theirs) {
		t.Errorf("connect over a program: %v", err)
	}
	all, err = p.Undo(c, User, hooks, nil)
	write(t, all, err)
	if text, err := os.ReadFile(theirs); err != nil || string(text) != others || exists(started) {
		t.Error("undo touches what connect had not made")
	}
}

// TestPlaces looks for files where the platform and the environment say.
func TestPlaces(t *testing.T) {
	env := map[string]string{"CODEX_HOME": "/codex", "APPDATA": "/roaming"}
	p := Place{OS: "windows", Home: "/home/ann", Getenv: func(n string) string { return env[n] }, Program: func(name string) bool { return name == "zed" }}
	for name, want := range map[string]string{
		"claude-desktop": "/roaming/Claude/claude_desktop_config.json", "codex": "/codex/config.toml", "cursor": "/home/ann/.cursor/mcp.json",
	} {
		if got := p.File(client(t, name), User); got != filepath.FromSlash(want) {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	p.OS = "darwin"
	if got := p.File(client(t, "vscode"), User); got != filepath.FromSlash("/home/ann/Library/Application Support/Code/User/mcp.json") {
		t.Errorf("VS Code on macOS: %s", got)
	}
	if !p.Installed(client(t, "zed")) || p.Installed(client(t, "cursor")) {
		t.Error("zed is on the path and cursor is not here")
	}
}

// TestTableSays holds every row of the table to what the commands need.
func TestTableSays(t *testing.T) {
	for _, c := range Clients() {
		if c.Title == "" || c.Next == "" || c.Source == "" || c.Date == "" || c.local == nil || c.format == nil || (c.remote == nil) == (c.noRemote == "") {
			t.Errorf("the row of %s is not complete", c.Name)
		}
	}
}

// FuzzRevise: whatever a file holds, an edit is refused, or differs in the one entry and can be taken back.
func FuzzRevise(f *testing.F) {
	for i, name := range []string{"before.json", "before.toml", "before.yaml"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(i, string(text))
		f.Add(i, "")
	}
	f.Add(0, `{"a":1//x`+"\n"+`,"mcpServers":{"z":{},},}`)
	f.Add(1, "[mcp_servers]\n[mcp_servers.ctx-mcp]\n")
	f.Fuzz(func(t *testing.T, kind int, text string) {
		c := client(t, []string{"cursor", "codex", "continue"}[uint(kind)%3])
		entry, err := c.Entry(local)
		if err != nil {
			t.Fatal(err)
		}
		before, err := c.format.read(bodyOf(text))
		if err != nil {
			return
		}
		if _, there := find(before, c.edit(nil)); there {
			return
		}
		with, err := revise(c.format, text, c.edit(entry))
		if err != nil {
			return
		}
		back, err := revise(c.format, with, c.edit(nil))
		if err != nil {
			t.Fatalf("the entry cannot be taken out of\n%s: %v", with, err)
		}
		if twice, err := revise(c.format, with, c.edit(entry)); err != nil || twice != with {
			t.Errorf("a second edit changes the text: %v\n%s", err, twice)
		}
		if !holds(back, text) {
			t.Errorf("signs were lost: %q -> %q", text, back)
		}
	})
}

// holds reports whether a text has every sign of another but for spaces, in the same order.
func holds(text, other string) bool {
	for _, sign := range []byte(strings.Join(strings.Fields(other), "")) {
		i := strings.IndexByte(text, sign)
		if i < 0 {
			return false
		}
		text = text[i+1:]
	}
	return true
}

// TestDocument holds the table in docs/connect.md to the code; -update rewrites it.
func TestDocument(t *testing.T) {
	const file, from, to = "../docs/connect.md", "<!-- generated: clients -->\n", "<!-- end -->"
	text := golden.Read(t, file)
	head, rest, _ := strings.Cut(text, from)
	_, tail, found := strings.Cut(rest, to)
	if !found {
		t.Fatalf("%s has no place for the table", file)
	}
	var b strings.Builder
	b.WriteString("| | Client | User | Project | Source |\n| --- | --- | --- | --- | --- |\n")
	p := Place{OS: "linux", Home: "/nowhere", Project: "/nowhere/project", Getenv: func(string) string { return "" }}
	for _, c := range Clients() {
		project, _ := filepath.Rel(p.Project, p.File(c, Project))
		if p.File(c, Project) != "" {
			project = "`" + filepath.ToSlash(project) + "`"
		} else {
			project = ""
		}
		fmt.Fprintf(&b, "| `%s` | %s | `%s` | %s | %s, %s |\n", c.Name, c.Title, filepath.ToSlash(p.Shown(p.File(c, User))), project, c.Source, c.Date)
	}
	golden.Want(t, file, head+from+b.String()+to+tail)
}
