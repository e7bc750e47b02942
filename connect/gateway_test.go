package connect

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestBehindTheGateway moves the servers of each kind of file, leaves those that cannot be moved, and brings all back byte for byte.
func TestBehindTheGateway(t *testing.T) {
	for name, held := range map[string]string{
		"claude-code": `{
  "theme": "dark", // kept
  "mcpServers": {
    "files": {"type": "stdio", "command": "npx", "args": ["files", "/x"], "env": {"KEY": "${KEY}"}},
    "web": {"type": "http", "url": "https://h/mcp", "headers": {"A": "b"}},
    "old": {"type": "sse", "url": "https://h/sse"}
  }
}
`,
		"opencode": `{"mcp": {"files": {"type": "local", "command": ["npx", "files", "/x"], "environment": {"KEY": "{env:KEY}"}, "enabled": true}, "old": {"type": "local", "command": ["x"], "enabled": false}}}
`,
		"codex": `model = "m"

[mcp_servers.files]
command = "npx"
args = ["files", "/x"]

[mcp_servers.files.env]
KEY = "${KEY}"

[mcp_servers.old]
url = "https://h/mcp"
bearer_token_env_var = "TOKEN"
`,
		"continue": `name: Local
version: 1.0.0
schema: v1
mcpServers:
  - name: files
    command: npx
    args: [files, /x]
    env:
      KEY: ${KEY}
  - name: old
    command: x
    env:
      KEY: ${{ secrets.KEY }}
`,
	} {
		t.Run(name, func(t *testing.T) {
			p := here(t)
			c, err := Find(name)
			if err != nil {
				t.Fatal(err)
			}
			path := p.File(c, User)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(held), 0o600); err != nil {
				t.Fatal(err)
			}
			b, err := ReadBehind(filepath.Join(p.Home, "behind.json"))
			if err != nil {
				t.Fatal(err)
			}
			stay, err := b.Take(p, c, User)
			if err != nil || len(stay) != 1 || stay["old"] == "" {
				t.Fatalf("these stay: %v, %v", stay, err)
			}
			files := b.Servers["files"]
			if files["command"] != "npx" || len(files["args"].([]any)) != 2 || files["env"].(map[string]any)["KEY"] != "${KEY}" {
				t.Errorf("moved: %v", files)
			}
			changes, err := p.Connect(c, User, Server{Command: "/bin/ctx-mcp", Args: []string{"gateway", "stdio"}}, nil, b)
			if err != nil {
				t.Fatal(err)
			}
			if err := b.Write(); err != nil {
				t.Fatal(err)
			}
			writeAll(t, changes)
			now, err := os.ReadFile(path)
			if err != nil || strings.Contains(string(now), "npx") || !strings.Contains(string(now), "old") || !strings.Contains(string(now), "gateway") {
				t.Errorf("the file is\n%s%v", now, err)
			}
			again, err := ReadBehind(b.File)
			if err != nil || len(again.Servers) != len(b.Servers) {
				t.Fatal(again, err)
			}
			if changes, err = p.Undo(c, User, nil, again); err != nil {
				t.Fatal(err)
			}
			writeAll(t, changes)
			if back, err := os.ReadFile(path); err != nil || string(back) != held {
				t.Errorf("after undo the file is\n%s%v", back, err)
			}
		})
	}
}

func writeAll(t *testing.T, changes []Change) {
	t.Helper()
	for _, ch := range changes {
		if err := ch.Write(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestValuesIn: the values of an argument are found where they stand.
func TestValuesIn(t *testing.T) {
	for _, c := range []struct {
		before, argument string
		want             []string
	}{
		{"", "--verbose", nil},
		{"", "", nil},
		{"-y", "@acme/server", []string{"y=@acme/server"}},
		{"--api-key", "abc", []string{"api-key=abc"}},
		{"--mode=x", "abc", []string{"argument=abc"}},
		{"", "--api-key=abc=", []string{"argument=abc=", "api-key=abc="}},
		{"-e", "TOKEN=abc", []string{"argument=abc", "TOKEN=abc"}},
		{"--header", "Authorization: Bearer abc", []string{"Authorization=Bearer abc"}},
		{"", "postgres://app:app@app:5432/app", []string{"password=app"}},
		{"", "postgres://:p@ss@host/db?sslmode=off&key=a%20b#k=v", []string{"password=p@ss", "sslmode=off", "key=a%20b"}},
		{"", "--db=redis://u:p@h/0", []string{"password=p", "db=redis://u:p@h/0"}},
		{"", "https://host/mcp", nil},
		{"", "https://host@x/mcp?", nil},
		{"", `C:\Users\ann`, []string{`argument=C:\Users\ann`}},
	} {
		var got []string
		for _, v := range valuesIn(c.argument, c.before) {
			got = append(got, v.name+"="+c.argument[v.begin:v.end])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("valuesIn(%q, %q) = %q, want %q", c.argument, c.before, got, c.want)
		}
	}
}

// TestSecretsIn: secrets of one text are replaced each at its own place, whatever their words are and in whatever order, and none within another.
func TestSecretsIn(t *testing.T) {
	const text = "app://app:app@app/?key=vault&app=args&mode=none"
	all := func(name, _ string) bool { return name != "mode" }
	put := ""
	found := secretsIn(Secret{Name: "2"}, text, append(valuesIn(text, ""), stretch{name: "whole", end: len(text)}), all, func(changed string) { put = changed })
	if len(found) != 3 || found[0].Name != "2" || found[2].Name != "2.3" {
		t.Fatalf("found %+v", found)
	}
	for _, i := range []int{1, 0, 2} {
		found[i].refer("${vault:args/" + found[i].Name + "}")
	}
	if want := "app://app:${vault:args/2}@app/?key=${vault:args/2.2}&app=${vault:args/2.3}&mode=none"; put != want {
		t.Errorf("replaced: %s, want %s", put, want)
	}
}
