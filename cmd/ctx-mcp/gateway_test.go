package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// realServers returns the servers of testdata/gateway, as `make gateway` installs them. Elsewhere the test is skipped.
func realServers(t *testing.T, files string) map[string][]string {
	t.Helper()
	modules := os.Getenv("GATEWAY_MODULES")
	if modules == "" {
		t.Skip("SKIPPED: the real servers are not installed; make gateway installs them and runs this test")
	}
	at := func(name string) string {
		return filepath.Join(modules, "@modelcontextprotocol", "server-"+name, "dist", "index.js")
	}
	return map[string][]string{
		"everything": {"node", at("everything"), "stdio"}, "files": {"node", at("filesystem"), files}, "memory": {"node", at("memory")},
	}
}

// peer is a client of a server on stdio that says that it has roots.
type peer struct {
	t    *testing.T
	cmd  *exec.Cmd
	said bytes.Buffer // on standard error
	in   io.Writer
	out  *bufio.Reader
	last int
}

func newPeer(t *testing.T, cmd *exec.Cmd) *peer {
	p := &peer{t: t, cmd: cmd}
	cmd.Stderr = &p.said
	in, out := piped(t, cmd)
	p.in, p.out = in, bufio.NewReaderSize(out, 1<<20)
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait()
	})
	p.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":{"name":"t","version":"1"}}`)
	p.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return p
}

func (p *peer) write(line string) {
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Fatal(err)
	}
}

// ask returns the whole answer, without its id. Questions of the server are answered, notifications passed over.
func (p *peer) ask(method, params string) (answer map[string]any, raw []byte) {
	p.t.Helper()
	p.last++
	p.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, p.last, method, params))
	for {
		line, err := p.out.ReadBytes('\n')
		if err != nil {
			p.t.Fatalf("%s: %v; %s ended: %v; it said %.2000s", method, err, p.cmd, p.cmd.Wait(), &p.said)
		}
		var m map[string]any
		if err := json.Unmarshal(line, &m); err != nil {
			p.t.Fatal(err)
		}
		switch {
		case m["method"] != nil && m["id"] != nil:
			id, _ := json.Marshal(m["id"])
			p.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"roots":[]}}`, id))
		case m["id"] == float64(p.last):
			delete(m, "id")
			return m, line
		}
	}
}

// behindGateway starts a gateway in front of the servers, whose policy lets all pass.
func behindGateway(t *testing.T, servers map[string][]string, settings ...string) *peer {
	t.Helper()
	file := map[string]any{}
	for name, command := range servers {
		file[name] = map[string]any{"command": command[0], "args": command[1:], "env": map[string]string{"MEMORY_FILE_PATH": filepath.Join(t.TempDir(), "m.jsonl")}}
	}
	text, err := json.Marshal(map[string]any{"mcpServers": file})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path, rules := filepath.Join(dir, "servers.json"), filepath.Join(dir, "all.cedar")
	for name, text := range map[string]string{path: string(text), rules: "@id(\"all\")\n@why(\"all pass\")\npermit(principal, action, resource);\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := binary(t, dir, "gateway", "stdio", "--servers", path)
	cmd.Env = append(append(cmd.Env, "CTX_MCP_POLICY_FILE="+rules), settings...)
	return newPeer(t, cmd)
}

func direct(t *testing.T, words []string) *peer {
	t.Helper()
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Env = []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH"), "MEMORY_FILE_PATH=" + filepath.Join(t.TempDir(), "m.jsonl")}
	return newPeer(t, cmd)
}

// clock is the time of day in the texts of one of the servers.
var clock = regexp.MustCompile(`\d+:\d\d:\d\d(\.\d+Z)?|\d\d\d\d-\d\d-\d\dT`)

// timeless returns a value without the time of day, also in bytes that are a text.
func timeless(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = timeless(v[i])
		}
	case map[string]any:
		for name, of := range v {
			v[name] = timeless(of)
			if encoded, ok := of.(string); ok && name == "blob" {
				if text, err := base64.StdEncoding.DecodeString(encoded); err == nil {
					v[name] = timeless(string(text))
				}
			}
		}
	case string:
		return clock.ReplaceAllString(v, "TIME")
	}
	return v
}

// asGateway returns a value as the gateway shows it: the URIs of a server in its own form.
func asGateway(v any, server string) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = asGateway(v[i], server)
		}
	case map[string]any:
		for name, of := range v {
			if text, ok := of.(string); ok && (name == "uri" || name == "uriTemplate") {
				v[name] = "upstream:" + server + "/" + text
			} else if name != "structuredContent" {
				v[name] = asGateway(of, server)
			}
		}
	}
	return v
}

// gatewayCalls are calls of the tools of the real servers; FILES is a folder. What answers otherwise each time, or tells of its environment, is left out.
var gatewayCalls = []struct{ server, tool, arguments string }{
	{"everything", "echo", `{"message":"hi <b>&"}`},
	{"everything", "get-sum", `{"a":1,"b":2}`},
	{"everything", "get-sum", `{"a":"x"}`},
	{"everything", "get-tiny-image", `{}`},
	{"everything", "get-annotated-message", `{"messageType":"error","includeImage":true}`},
	{"everything", "get-structured-content", `{"location":"New York"}`},
	{"everything", "get-resource-links", `{"count":3}`},
	{"everything", "get-resource-reference", `{"resourceType":"Text","resourceId":1}`},
	{"everything", "get-resource-reference", `{"resourceType":"Blob","resourceId":1}`},
	{"everything", "get-roots-list", `{}`},
	{"everything", "trigger-long-running-operation", `{"duration":0.1,"steps":2}`},
	{"everything", "no-such-tool", `{}`},
	{"files", "write_file", `{"path":"FILES/new.txt","content":"line\nline"}`},
	{"files", "read_text_file", `{"path":"FILES/new.txt"}`},
	{"files", "read_media_file", `{"path":"FILES/dot.png"}`},
	{"files", "edit_file", `{"path":"FILES/new.txt","edits":[{"oldText":"line\nline","newText":"other"}]}`},
	{"files", "list_directory", `{"path":"FILES"}`},
	{"files", "directory_tree", `{"path":"FILES"}`},
	{"files", "search_files", `{"path":"FILES","pattern":"*.txt"}`},
	{"files", "read_text_file", `{"path":"/etc/hostname"}`},
	{"files", "list_allowed_directories", `{}`},
	{"memory", "create_entities", `{"entities":[{"name":"pier","entityType":"place","observations":["in Porto"]}]}`},
	{"memory", "read_graph", `{}`},
	{"memory", "search_nodes", `{"query":"pier"}`},
	{"memory", "delete_entities", `{"entityNames":["pier"]}`},
}

// TestGatewayIsTransparent compares what a client gets of real servers with and without the gateway: every list, tool results of every kind,
// prompts, resources and completions.
func TestGatewayIsTransparent(t *testing.T) {
	files := t.TempDir()
	if err := os.WriteFile(filepath.Join(files, "dot.png"), []byte("\x89PNG\r\n\x1a\n\x00\x01"), 0o600); err != nil {
		t.Fatal(err)
	}
	servers := realServers(t, files)
	gateway := behindGateway(t, servers)
	waitForServers(t, gateway, servers)
	compared := 0
	for name, words := range servers {
		alone := direct(t, words)
		same := func(what string, got, want map[string]any) {
			t.Helper()
			compared++
			if g, w := timeless(got), timeless(asGateway(want, name)); !reflect.DeepEqual(g, w) {
				a, _ := json.Marshal(g)
				b, _ := json.Marshal(w)
				t.Errorf("%s of %s:\n got %s\nwant %s", what, name, a, b)
			}
		}
		for _, list := range []struct{ method, member string }{
			{"tools/list", "tools"}, {"prompts/list", "prompts"}, {"resources/list", "resources"}, {"resources/templates/list", "resourceTemplates"},
		} {
			wanted, _ := alone.ask(list.method, `{}`)
			all, _ := gateway.ask(list.method, `{}`)
			listed := map[string]any{}
			for _, item := range items(all, list.member) {
				for _, id := range []string{"name", "uri", "uriTemplate"} {
					text, _ := item[id].(string)
					if strings.HasPrefix(text, name+"__") || strings.HasPrefix(text, "upstream:"+name+"/") {
						listed[strings.TrimPrefix(strings.TrimPrefix(text, name+"__"), "upstream:"+name+"/")] = item
					}
				}
			}
			if n := len(items(wanted, list.member)); n != len(listed) {
				t.Errorf("%s of %s: %d of %d are listed", list.method, name, len(listed), n)
			}
			for _, item := range items(wanted, list.member) {
				id, _ := item["name"].(string)
				if list.member == "tools" || list.member == "prompts" {
					item["name"] = name + "__" + id
				} else if id, _ = item["uri"].(string); id == "" {
					id, _ = item["uriTemplate"].(string)
				}
				got, _ := listed[id].(map[string]any)
				compared++
				if want := onlyURIs(item, name); !reflect.DeepEqual(got, want) {
					t.Errorf("%s of %s: %v\nwant %v", list.method, name, got, want)
				}
			}
		}
		for _, c := range gatewayCalls {
			if c.server != name {
				continue
			}
			arguments := strings.ReplaceAll(c.arguments, "FILES", files)
			want, _ := alone.ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, c.tool, arguments))
			if c.tool == "write_file" || c.tool == "edit_file" {
				_ = os.WriteFile(filepath.Join(files, "new.txt"), []byte("line\nline"), 0o600)
			}
			if c.tool == "no-such-tool" {
				continue
			}
			got, _ := gateway.ask("tools/call", fmt.Sprintf(`{"name":"%s__%s","arguments":%s}`, name, c.tool, arguments))
			same(c.tool+" "+c.arguments, got, want)
		}
		if name == "everything" {
			for _, prompt := range []string{`"simple-prompt"`, `"args-prompt","arguments":{"city":"Porto"}`, `"resource-prompt","arguments":{"resourceType":"Text","resourceId":"1"}`} {
				want, _ := alone.ask("prompts/get", `{"name":`+prompt+`}`)
				got, _ := gateway.ask("prompts/get", `{"name":"everything__`+prompt[1:]+`}`)
				same("prompt "+prompt, got, want)
			}
			for _, uri := range []string{"demo://resource/dynamic/text/1", "demo://resource/dynamic/blob/2", "demo://resource/static/document/features.md"} {
				want, _ := alone.ask("resources/read", `{"uri":"`+uri+`"}`)
				got, _ := gateway.ask("resources/read", `{"uri":"upstream:everything/`+uri+`"}`)
				same("resource "+uri, got, want)
			}
			complete := `{"ref":{"type":"ref/prompt","name":"%scompletable-prompt"},"argument":{"name":"department","value":"E"}}`
			want, _ := alone.ask("completion/complete", fmt.Sprintf(complete, ""))
			got, _ := gateway.ask("completion/complete", fmt.Sprintf(complete, "everything__"))
			same("completion", got, want)
		}
	}
	t.Logf("%d answers are the same", compared)
}

// waitForServers returns once the tools of all servers are listed.
func waitForServers(t *testing.T, p *peer, servers map[string][]string) {
	t.Helper()
	for began := time.Now(); time.Since(began) < time.Minute; {
		all, _ := p.ask("tools/list", `{}`)
		missing := len(servers)
		for name := range servers {
			if slices.ContainsFunc(items(all, "tools"), func(i map[string]any) bool { text, _ := i["name"].(string); return strings.HasPrefix(text, name+"__") }) {
				missing--
			}
		}
		if missing == 0 {
			return
		}
	}
	t.Fatal("not all servers have answered")
}

func items(answer map[string]any, member string) (all []map[string]any) {
	result, _ := answer["result"].(map[string]any)
	list, _ := result[member].([]any)
	for _, i := range list {
		item, _ := i.(map[string]any)
		all = append(all, item)
	}
	return all
}

// onlyURIs returns a listed item as the gateway shows it.
func onlyURIs(item map[string]any, server string) map[string]any {
	for _, name := range []string{"uri", "uriTemplate"} {
		if text, ok := item[name].(string); ok {
			item[name] = "upstream:" + server + "/" + text
		}
	}
	return item
}

// TestGatewayLatency prints how long a result takes through the gateway and beside it, from the same server in the same run.
func TestGatewayLatency(t *testing.T) {
	files := t.TempDir()
	servers := realServers(t, files)
	servers = map[string][]string{"files": servers["files"]}
	gateway, alone := behindGateway(t, servers), direct(t, servers["files"])
	waitForServers(t, gateway, servers)
	for _, size := range []struct{ name, bytes, times int }{{4, 4 << 10, 200}, {1024, 1 << 20, 7}} {
		path := filepath.Join(files, fmt.Sprint(size.name, ".txt"))
		text := strings.Repeat("The pier in Porto was mended in spring, and the boats are back.\n", size.bytes/64)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var there, beside []time.Duration
		for range size.times {
			began := time.Now()
			alone.ask("tools/call", fmt.Sprintf(`{"name":"read_text_file","arguments":{"path":%q}}`, path))
			beside = append(beside, time.Since(began))
			began = time.Now()
			gateway.ask("tools/call", fmt.Sprintf(`{"name":"files__read_text_file","arguments":{"path":%q}}`, path))
			there = append(there, time.Since(began))
		}
		slices.Sort(there)
		slices.Sort(beside)
		at := func(all []time.Duration, share float64) time.Duration {
			return all[int(share*float64(len(all)-1))].Round(10 * time.Microsecond)
		}
		t.Logf("%d KB: beside p50 %v p99 %v, through the gateway p50 %v p99 %v", size.name, at(beside, .5), at(beside, .99), at(there, .5), at(there, .99))
	}
}
