package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/ctx-mcp/ctx-mcp/artifacts/blobs/bucket/buckettest"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/gateway"
	"github.com/ctx-mcp/ctx-mcp/postgres/postgrestest"
	"github.com/ctx-mcp/ctx-mcp/storetest/golden"
	"github.com/ctx-mcp/ctx-mcp/storetest/rounds"
)

func TestMain(m *testing.M) {
	if slices.Equal(os.Args[1:], []string{"gateway", "warden"}) { // of a gateway in the process of a benchmark
		gateway.Warden(os.Stdin)
		return
	}
	testscript.Main(m, map[string]func(){"ctx-mcp": scriptedMain, "hostile-server": hostileServer, "reading-server": readingServer, "holding-client": holdingClient})
}

// raceOptions keep the race detector from a second of sleep at the end of every process.
const raceOptions = "atexit_sleep_ms=0"

// scriptedMain is main with the clock in a file, so that a script can travel in time, and with ids whose ends are numbers: a short id then
// takes the same tokens in every run. They end with the number of the process, which $PROCESS may name.
func scriptedMain() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	sys := realSystem()
	newID, made, process := sys.newID, atomic.Int64{}, os.Getpid()
	if named, err := strconv.Atoi(os.Getenv("PROCESS")); err == nil {
		process = named
	}
	sys.newID = func() string {
		return fmt.Sprintf("%s%06d%03d%03d", newID()[:24], 0, made.Add(1)%1000, process%1000)
	}
	if path := os.Getenv("CLOCK_FILE"); path != "" {
		sys.now = func() time.Time {
			text, err := os.ReadFile(path)
			if err != nil {
				return time.Now()
			}
			t, err := time.Parse(time.RFC3339, strings.TrimSpace(string(text)))
			if err != nil {
				panic(err)
			}
			return t
		}
	}
	os.Exit(run(ctx, sys, os.Args[1:]))
}

// TestScripts runs every script in testdata/script through the real binary: over stdio and HTTP by turns, or over both where it says what differs between
// them, or where the many of make test-long are asked for.
//
// A script has these commands beside those of testscript:
//
//	connect [flag ...]   starts a server on the script's data directory and connects to it over $TRANSPORT
//	disconnect           ends the connection and the server, which must exit 0
//	call TOOL JSON       calls a tool and prints its result; "! call" expects an error; @FILE stands for the JSON in a file
//	reports N FILE       writes the arguments of a put_artifact whose content is N search results of one form
//	restate FILE OUT NEW [WAS IS]  writes to NEW the arguments of a reduce_messages in FILE with the state in the result OUT, where IS stands for WAS
//	tell TOOL JSON       calls a tool and prints the text of its result, with short ids as the names of the ids
//	prompt NAME          prints the text of a prompt
//	instructions         prints the server's instructions for a client
//	read URI             reads a resource and prints its text; "! read" expects an error
//	metrics              prints /metrics of an HTTP server, asked for with the token; "! metrics" expects a refusal
//	plant                gives every tool that takes text a sample of every kind of secret, and makes errors of them
//	plantnames           puts a token into every string argument of every tool: names refuse it, and it rests nowhere
//	unleaked             searches for the planted secrets: in the data directory, the logs and /metrics
//	list                 prints the names of the tools
//	at TIME              sets the clock
//	issuer               starts an authorization server with a key of its own, and sets $ISSUER
//	sign FILE CLAIMS     writes an access token of it to a file, which counts for an hour
//	ask TOOL             calls a tool in one request, and prints the status and the header WWW-Authenticate
//	as FILE              takes the bearer token of the connections that follow from a file
//
// and the conditions [stdio] and [http]. $CLIENT_NAME_BYTES is how long the name is that a connection gives. With $GATEWAY the
// server is a gateway to the servers of that file.
//
// $SAMPLES is the folder of the files that other systems wrote. In the output, each UUID becomes id1, id2, … in the order of appearance, and $id1
// stands for it afterwards; likewise each digest that begins with sha256:, such as a context_ref, becomes ref1, ref2, ….
func TestScripts(t *testing.T) {
	for _, transport := range []string{"stdio", "http"} {
		t.Run(transport, func(t *testing.T) { runScripts(t, transport, scriptPlace{files: scriptsOver(t, transport)}) })
	}
}

var ofTransport = regexp.MustCompile(`(?m)^\[!?(stdio|http)\]`)

// scriptsOver returns the scripts that run over a transport.
func scriptsOver(t *testing.T, transport string) (some []string) {
	all, err := filepath.Glob("../../testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	both := rounds.Of(0, 1) == 1
	for i, path := range all {
		if (i%2 == 0) == (transport == "stdio") || both || ofTransport.MatchString(golden.Read(t, path)) {
			some = append(some, path)
		}
	}
	return some
}

// TestScriptsOnPostgres runs the scripts over HTTP with their rows in PostgreSQL, a schema for each. It takes minutes, so make test-postgres asks for
// it; make test-postgres-all has them run over stdio, and through PgBouncer in transaction mode, too, with the bytes of artifacts in object storage.
func TestScriptsOnPostgres(t *testing.T) {
	if os.Getenv("TEST_POSTGRES") == "" {
		t.Skip("SKIPPED: make test-postgres runs the scripts on PostgreSQL")
	}
	server, err := postgrestest.Start("fsync=off", "max_connections=300")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(); err != nil {
			t.Error(err)
		}
	})
	transports := []string{"http"}
	empty := func() string { return server.Empty(t) }
	var blobs func() string
	switch os.Getenv("TEST_POSTGRES") {
	case "all":
		transports = append(transports, "stdio")
		blobs = bucketOf(t)
	case "pooled":
		blobs = bucketOf(t)
		p, err := server.Pooler()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Stop) // before the server's
		empty = func() string {
			address, err := p.Empty()
			if err != nil {
				t.Error(err)
			}
			return address
		}
	}
	for _, transport := range transports {
		t.Run(transport, func(t *testing.T) {
			runScripts(t, transport, scriptPlace{store: empty, blobs: blobs})
		})
	}
}

// TestScriptsOnBucket runs the scripts in which artifacts occur with their bytes in object storage.
func TestScriptsOnBucket(t *testing.T) {
	if os.Getenv("TEST_BUCKET") == "" {
		t.Skip("SKIPPED: make test-bucket runs the scripts on object storage")
	}
	all, err := filepath.Glob("../../testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var some []string
	for _, path := range all {
		if text := golden.Read(t, path); strings.Contains(text, "artifact") && !needFolder.MatchString(text) {
			some = append(some, path)
		}
	}
	runScripts(t, "http", scriptPlace{files: some, blobs: bucketOf(t)})
}

// needFolder matches the scripts that look into the folder of the bytes themselves.
var needFolder = regexp.MustCompile(`blobs|plant`)

// bucketOf starts an S3 server, and returns addresses below a prefix of their own.
func bucketOf(t *testing.T) func() string {
	buckettest.UseKey(t)
	server, prefixes := buckettest.InMemory(t), atomic.Int64{}
	return func() string { return server.Address(fmt.Sprint(prefixes.Add(1))) }
}

// scriptPlace is where scripts run: all in folders, if it is zero.
type scriptPlace struct {
	store, blobs func() string // return the address of a store of its own for each script; no bytes of one that needs their folder are elsewhere
	files        []string      // the scripts; nil: all
}

// runScripts runs scripts over a transport.
func runScripts(t *testing.T, transport string, place scriptPlace) {
	samples, err := filepath.Abs("../../memory/exchange/foreign/testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 map[bool]string{true: "../../testdata/script"}[place.files == nil],
		Files:               place.files,
		UpdateScripts:       golden.Update(),
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("TRANSPORT", transport)
			env.Setenv("CTX_MCP_DATA_DIR", env.WorkDir+"/data")
			env.Setenv("CTX_MCP_USER", "ann")
			env.Setenv("CLOCK_FILE", env.WorkDir+"/clock")
			env.Setenv("GORACE", raceOptions)
			env.Setenv("HOME", env.WorkDir+"/home")
			env.Setenv("SAMPLES", samples)
			if place.store != nil {
				env.Setenv("CTX_MCP_STORE", place.store())
				env.Setenv("PATH", postgrestest.Bin()+string(os.PathListSeparator)+env.Getenv("PATH")) // programs of the server's version
			}
			name := strings.TrimPrefix(filepath.Base(env.WorkDir), "script-")
			if place.blobs != nil && !needFolder.MatchString(golden.Read(t, "../../testdata/script/"+name+".txtar")) {
				env.Setenv("CTX_MCP_BLOBS", place.blobs())
				for _, name := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"} {
					env.Setenv(name, os.Getenv(name))
				}
			}
			env.Values["session"] = &session{ids: map[string]string{}}
			env.Defer(func() { env.Values["session"].(*session).end() })
			env.Defer(func() { // a script that fails leaves no server of hooks behind
				_ = stopHooks(context.Background(), &config.Config{DataDir: env.WorkDir + "/data", ShutdownGrace: 10 * time.Second})
			})
			return nil
		},
		Condition: func(name string) (bool, error) {
			return name == transport || name == "postgres" && place.store != nil, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"connect": openConnection, "disconnect": disconnect, "call": call, "list": listTools, "at": setClock, "as": setToken,
			"reports": writeReports, "repeat": writeRepeated, "restate": restate, "read": readResource, "metrics": printMetrics,
			"tell": tell, "prompt": printPrompt, "instructions": printInstructions,
			"plant": plant, "unleaked": unleaked, "plantnames": plantNames,
			"issuer": openIssuer, "sign": signToken, "ask": ask,
		},
	})
}

// session is a script's connection, and the names that it gave to ids.
type session struct {
	client *client.Client
	server *exec.Cmd // of an HTTP connection
	url    string    // of its endpoint
	logs   *logBuffer
	ids    map[string]string // uuid -> name

	instructions string    // that the server gave
	issuer       *selfMade // of access tokens, if the script made one
}

func sessionOf(ts *testscript.TestScript) *session { return ts.Value("session").(*session) }

func (s *session) end() error {
	if s.client == nil {
		return nil
	}
	err := s.client.Close()
	s.client = nil
	if s.server != nil {
		_ = s.server.Process.Signal(syscall.SIGTERM)
		err = s.server.Wait()
		s.server = nil
	}
	return err
}

func openConnection(ts *testscript.TestScript, neg bool, args []string) {
	s := sessionOf(ts)
	if s.client != nil {
		ts.Fatalf("there is a connection already")
	}
	s.logs = &logBuffer{}
	var err error
	if ts.Getenv("TRANSPORT") == "http" {
		err = s.connectHTTP(ts, args)
	} else {
		err = s.connectStdio(ts, args)
	}
	if err == nil {
		var hello mcp.InitializeRequest
		if bytes, _ := strconv.Atoi(ts.Getenv("CLIENT_NAME_BYTES")); bytes > 0 { // none is 0
			hello.Params.ProtocolVersion, hello.Params.ClientInfo.Name = "2025-11-25", strings.Repeat("x", bytes)
		}
		var welcome *mcp.InitializeResult
		if welcome, err = s.client.Initialize(context.Background(), hello); err == nil {
			s.instructions = welcome.Instructions
		}
	}
	if neg && err != nil {
		fmt.Fprintln(ts.Stderr(), err)
		_ = s.end() // there is nothing to end well
		return
	}
	if neg || err != nil {
		ts.Fatalf("connect: %v\n%s", err, s.logs)
	}
}

func (s *session) connectStdio(ts *testscript.TestScript, args []string) error {
	cmd := command(ts, append([]string{"stdio"}, args...))
	tr := transport.NewStdioWithOptions(cmd.Path, nil, cmd.Args[1:], transport.WithCommandFunc(
		func(context.Context, string, []string, []string) (*exec.Cmd, error) { return cmd, nil }))
	s.client = client.NewClient(tr)
	if err := s.client.Start(context.Background()); err != nil {
		return err
	}
	if stderr, ok := client.GetStderr(s.client); ok {
		go func() { _, _ = io.Copy(s.logs, stderr) }() // ends with the process
	}
	return nil
}

var listening = regexp.MustCompile(`msg="serving http".* url=(\S+)`)

func (s *session) connectHTTP(ts *testscript.TestScript, args []string) error {
	cmd := command(ts, append([]string{"http", "--addr", "127.0.0.1:0"}, args...))
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	s.server = cmd
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		_, _ = s.logs.Write(append(lines.Bytes(), '\n'))
		if m := listening.FindStringSubmatch(lines.Text()); m != nil {
			go func() { _, _ = io.Copy(s.logs, stderr) }() // ends with the process
			s.url = m[1]
			s.client, err = client.NewStreamableHttpClient(m[1], httpHeaders(ts)...)
			return err
		}
	}
	return fmt.Errorf("the server did not start: %w", cmd.Wait())
}

func httpHeaders(ts *testscript.TestScript) []transport.StreamableHTTPCOption {
	if token := ts.Getenv("TOKEN"); token != "" {
		return []transport.StreamableHTTPCOption{transport.WithHTTPHeaders(map[string]string{"Authorization": "Bearer " + token})}
	}
	return nil
}

// command returns the binary under test in the script's directory and environment.
func command(ts *testscript.TestScript, args []string) *exec.Cmd {
	if servers := ts.Getenv("GATEWAY"); servers != "" {
		args = append([]string{"gateway"}, append(args, "--servers", servers)...)
	}
	path, err := exec.LookPath("ctx-mcp")
	ts.Check(err)
	cmd := exec.Command(path, args...)
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"CTX_MCP_DATA_DIR", "CTX_MCP_STORE", "CTX_MCP_BLOBS", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "CTX_MCP_USER", "CTX_MCP_CONFIG", "CTX_MCP_MEMORY_BRIEF_IN_INSTRUCTIONS", "CLOCK_FILE", "HOME", "PATH", "GORACE", "GOMEMLIMIT"} {
		if v := ts.Getenv(name); v != "" {
			cmd.Env = append(cmd.Env, name+"="+v)
		}
	}
	return cmd
}

func disconnect(ts *testscript.TestScript, neg bool, args []string) {
	s := sessionOf(ts)
	if err := s.end(); err != nil {
		ts.Fatalf("the server ended with %v\n%s", err, s.logs)
	}
	fmt.Fprint(ts.Stderr(), s.logs.String())
}

func call(ts *testscript.TestScript, neg bool, args []string) {
	s := sessionOf(ts)
	if result := s.callTool(ts, neg, args); result != nil {
		fmt.Fprint(ts.Stdout(), s.printed(ts, result))
	}
}

// shortID matches the short form of an id in a text.
var shortID = regexp.MustCompile(`\[[0-9a-f]{6,}\]`)

func tell(ts *testscript.TestScript, neg bool, args []string) {
	s := sessionOf(ts)
	result := s.callTool(ts, neg, args)
	if result == nil {
		return
	}
	s.printed(ts, result) // names the ids
	for _, c := range result.Content {
		if text, ok := c.(mcp.TextContent); ok {
			fmt.Fprintln(ts.Stdout(), s.named(text.Text))
		}
	}
}

// named returns a text with the names of ids for their short forms.
func (s *session) named(text string) string {
	return shortID.ReplaceAllStringFunc(text, func(short string) string {
		for id, name := range s.ids {
			if strings.HasSuffix(id, strings.Trim(short, "[]")) {
				return "[" + name + "]"
			}
		}
		return short
	})
}

func printPrompt(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 || neg {
		ts.Fatalf("usage: prompt NAME")
	}
	var request mcp.GetPromptRequest
	request.Params.Name = args[0]
	result, err := sessionOf(ts).client.GetPrompt(context.Background(), request)
	ts.Check(err)
	for _, m := range result.Messages {
		if text, ok := m.Content.(mcp.TextContent); ok {
			fmt.Fprintln(ts.Stdout(), sessionOf(ts).named(text.Text))
		}
	}
}

func printInstructions(ts *testscript.TestScript, neg bool, args []string) {
	fmt.Fprintln(ts.Stdout(), sessionOf(ts).named(sessionOf(ts).instructions))
}

// callTool calls a tool, and returns nothing where the call failed as it should.
func (s *session) callTool(ts *testscript.TestScript, neg bool, args []string) *mcp.CallToolResult {
	if len(args) != 2 {
		ts.Fatalf("usage: call TOOL JSON")
	}
	request := mcp.CallToolRequest{}
	request.Params.Name = args[0]
	arguments := args[1]
	if name, inFile := strings.CutPrefix(arguments, "@"); inFile {
		arguments = ts.ReadFile(name)
	}
	if err := json.Unmarshal([]byte(arguments), &request.Params.Arguments); err != nil {
		ts.Fatalf("arguments: %v", err)
	}
	result, err := s.client.CallTool(context.Background(), request)
	if neg && err != nil {
		fmt.Fprintln(ts.Stderr(), err)
		return nil
	}
	if err != nil {
		ts.Fatalf("call: %v\n%s", err, s.logs)
	}
	if result.IsError != neg {
		fmt.Fprint(ts.Stdout(), s.printed(ts, result))
		ts.Fatalf("call %s: isError = %v, want %v", args[0], result.IsError, neg)
	}
	return result
}

func printMetrics(ts *testscript.TestScript, neg bool, args []string) {
	request, err := http.NewRequest("GET", strings.TrimSuffix(sessionOf(ts).url, "/mcp")+"/metrics", nil)
	ts.Check(err)
	if token := ts.Getenv("TOKEN"); token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(request)
	ts.Check(err)
	defer response.Body.Close()
	_, err = io.Copy(ts.Stdout(), response.Body)
	ts.Check(err)
	if refused := response.StatusCode != http.StatusOK; refused != neg {
		ts.Fatalf("metrics: %s", response.Status)
	}
}

func readResource(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: read URI")
	}
	var request mcp.ReadResourceRequest
	request.Params.URI = args[0]
	result, err := sessionOf(ts).client.ReadResource(context.Background(), request)
	if err != nil {
		fmt.Fprintln(ts.Stderr(), err)
	} else {
		for _, c := range result.Contents {
			if text, ok := c.(mcp.TextResourceContents); ok {
				fmt.Fprintln(ts.Stdout(), text.Text)
			}
		}
	}
	if (err != nil) != neg {
		ts.Fatalf("read %s: %v", args[0], err)
	}
}

var ids = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|[A-Za-z0-9.-]+(_[A-Za-z0-9.-]+)*_\d{8}_\d{6}_[0-9a-f]{12}|sha256:[0-9a-f]{64}`)

// printed returns a result as indented JSON, or as its texts where it has no structure, with names for ids.
func (s *session) printed(ts *testscript.TestScript, result *mcp.CallToolResult) string {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if result.StructuredContent == nil {
		for _, c := range result.Content {
			if part, ok := c.(mcp.TextContent); ok {
				fmt.Fprintln(&text, part.Text)
			}
		}
	} else {
		ts.Check(e.Encode(result.StructuredContent))
	}
	return ids.ReplaceAllStringFunc(text.String(), func(id string) string {
		name, known := s.ids[id]
		if !known {
			name = s.nameFor(id)
			s.ids[id] = name
			ts.Setenv(name, id)
		}
		return name
	})
}

// nameFor returns the name of an id, or of a digest, that has none yet.
func (s *session) nameFor(id string) string {
	word, count := "id", 1
	if strings.HasPrefix(id, "sha256:") {
		word = "ref"
	}
	for _, name := range s.ids {
		if strings.HasPrefix(name, word) {
			count++
		}
	}
	return fmt.Sprintf("%s%d", word, count)
}

func listTools(ts *testscript.TestScript, neg bool, args []string) {
	list, err := sessionOf(ts).client.ListTools(context.Background(), mcp.ListToolsRequest{})
	ts.Check(err)
	for _, t := range list.Tools {
		fmt.Fprintln(ts.Stdout(), t.Name)
	}
}

func setClock(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: at TIME")
	}
	if _, err := time.Parse(time.RFC3339, args[0]); err != nil {
		ts.Fatalf("at: %v", err)
	}
	temp := ts.MkAbs("clock.new")
	ts.Check(os.WriteFile(temp, []byte(args[0]), 0o600))
	ts.Check(os.Rename(temp, ts.MkAbs("clock")))
}

// writeReports writes search results: two figures, and N reports with a title, an address and an extract each.
func restate(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 && len(args) != 5 {
		ts.Fatalf("usage: restate FILE OUT NEW [WAS IS]")
	}
	var arguments map[string]json.RawMessage
	var result struct {
		State json.RawMessage `json:"state"`
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &arguments))
	out := ts.ReadFile(args[1])
	ts.Check(json.NewDecoder(strings.NewReader(out[max(strings.Index(out, "{"), 0):])).Decode(&result))
	arguments["state"] = result.State
	if len(args) == 5 {
		changed := strings.Replace(string(result.State), args[3], args[4], 1)
		if changed == string(result.State) {
			ts.Fatalf("the state has no %q: %s", args[3], result.State)
		}
		arguments["state"] = json.RawMessage(changed)
	}
	text, err := json.Marshal(arguments)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), text, 0o600))
}

func writeReports(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: reports N FILE")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	type report struct {
		Title  string `json:"title"`
		URL    string `json:"report_url"`
		Author string `json:"analyst_name"`
		Text   string `json:"extract"`
	}
	content := struct {
		Size    string   `json:"market_size"`
		Growth  string   `json:"growth_rate"`
		Reports []report `json:"reports"`
	}{Size: "$832B", Growth: "18.4% CAGR"}
	for i := range n {
		content.Reports = append(content.Reports, report{
			fmt.Sprintf("Cloud computing market forecast, part %d", i), fmt.Sprintf("https://reports.example.com/2026/%03d", i),
			fmt.Sprintf("Desk %d", i), "Spending on public cloud services grows as enterprises move their workloads, with infrastructure and " +
				"platform services ahead of the rest, and with differences between regions that follow regulation more than demand.",
		})
	}
	text, err := json.Marshal(content)
	ts.Check(err)
	out, err := json.Marshal(map[string]string{
		"content": string(text), "artifact_type": "search_results", "summary": fmt.Sprintf("%d reports on the cloud market", n), "task_id": "search",
	})
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), out, 0o600))
}

// writeRepeated writes a file of a beginning, a text so many times, and an end.
func writeRepeated(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 5 {
		ts.Fatalf("usage: repeat FILE BEFORE TEXT TIMES AFTER")
	}
	n, err := strconv.Atoi(args[3])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(args[1]+strings.Repeat(args[2], n)+args[4]), 0o600))
}

func setToken(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: as FILE")
	}
	ts.Setenv("TOKEN", strings.TrimSpace(ts.ReadFile(args[0])))
}

// logBuffer collects the log of a server.
type logBuffer struct {
	mu   sync.Mutex // guards text
	text bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
