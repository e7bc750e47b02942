package gateway

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// fake is a server that answers as its script says, on standard input and output.
func fake(path string) {
	text, err := os.ReadFile(path)
	var s script
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		panic(err)
	}
	if s.Mode == "die" {
		fmt.Fprintln(os.Stderr, "no, with the password hunter2hunter2")
		os.Exit(3)
	}
	if s.Greets != "" {
		f, err := os.OpenFile(s.Greets, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			panic(err)
		}
		if s.Child {
			child := exec.Command("sleep", "1000")
			if err := child.Start(); err != nil {
				panic(err)
			}
			fmt.Fprintln(f, child.Process.Pid)
		}
		fmt.Fprintln(f, os.Getpid())
		f.Close()
	}
	f := &fakeServer{script: s, waiting: map[string]json.RawMessage{}}
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			break
		}
		if s.Mode != "hang" {
			f.take(line)
		}
	}
	if s.Mode == "stubborn" {
		select {}
	}
}

type fakeServer struct {
	script
	waiting map[string]json.RawMessage // requests that wait: for the client's answer, by the id of the question, or to be cancelled, by their own
	asked   int
}

func (f *fakeServer) say(format string, args ...any) {
	fmt.Printf(format+"\n", args...)
}

func (f *fakeServer) take(line []byte) {
	var m struct {
		ID     json.RawMessage
		Method string
		Params json.RawMessage
		Result json.RawMessage
		Error  json.RawMessage
	}
	if json.Unmarshal(line, &m) != nil {
		return
	}
	name := nameOf(m.Params, "name") + nameOf(m.Params, "uri")
	if m.Method == "tools/call" || m.Method == "resources/read" {
		f.note(m.Params)
	}
	switch {
	case m.Method == "" && f.waiting[string(m.ID)] != nil:
		f.say(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":%s}]}}`, f.waiting[string(m.ID)], textOf(string(m.Result)+string(m.Error)))
	case m.Method == "notifications/cancelled":
		f.say(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"cancelled %s"}}`, string(member(m.Params, "requestId")))
	case m.ID == nil:
	case m.Method == "initialize" && f.Stateless:
		f.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no initialize"}}`, m.ID)
	case m.Method == "initialize":
		f.say(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"prompts":{},"resources":{},"logging":{},"completions":{}},"serverInfo":{"name":"fake","version":"1"},"instructions":"A fake.","said":%s}}`, m.ID, m.Params)
	case m.Method == "server/discover":
		f.say(`{"jsonrpc":"2.0","id":%s,"result":{"capabilities":{"tools":{}},"serverInfo":{"name":"fake","version":"1"}}}`, m.ID)
	case strings.HasSuffix(m.Method, "/list"):
		f.list(m.ID, m.Method, m.Params)
	case m.Method == "tools/call" && (name == "ask" || name == "sample" || name == "roots"):
		f.asked++
		f.waiting[fmt.Sprint(f.asked)] = m.ID
		method := map[string]string{"ask": "elicitation/create", "sample": "sampling/createMessage", "roots": "roots/list"}[name]
		f.say(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{"message":"Which?","x":1}}`, f.asked, method)
	case m.Method == "tools/call" && name == "slow":
		f.say(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1,"message":"begun"}}`, member(member(m.Params, "_meta"), "progressToken"))
	case m.Method == "tools/call" && name == "die":
		os.Exit(1)
	case m.Method == "tools/call" && name == "pid":
		f.say(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%d"}]}}`, m.ID, os.Getpid())
	case m.Method == "tools/call" && name == "mirror":
		f.say(`{"jsonrpc":"2.0","id":%s,"result":{"content":[],"structuredContent":%s}}`, m.ID, m.Params)
	case m.Method == "tools/call" && name == "env":
		f.say(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":%s}]}}`, m.ID, textOf(strings.Join(os.Environ(), "\n")))
	case f.Results[m.Method+" "+name] != nil:
		f.say(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, f.Results[m.Method+" "+name])
	case f.Results[m.Method] != nil:
		f.say(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, f.Results[m.Method])
	default:
		f.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"no such thing","data":{"of":%s}}}`, m.ID, textOf(name))
	}
}

// note keeps the params of a call, where the script names a file for them.
func (f *fakeServer) note(params json.RawMessage) {
	if f.Calls == "" {
		return
	}
	kept, err := os.OpenFile(f.Calls, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer kept.Close()
	fmt.Fprintln(kept, string(params))
}

func (f *fakeServer) list(id json.RawMessage, method string, params json.RawMessage) {
	for _, l := range lists {
		if l.method != method {
			continue
		}
		items, from := *l.of(&f.Offer), 0
		_, _ = fmt.Sscan(nameOf(params, "cursor"), &from)
		to, next := len(items), ""
		if f.PageSize > 0 && from+f.PageSize < to {
			to = from + f.PageSize
			next = fmt.Sprintf(`,"nextCursor":"%d"`, to)
		}
		page, err := json.Marshal(append([]json.RawMessage{}, items[from:to]...))
		if err != nil {
			panic(err)
		}
		f.say(`{"jsonrpc":"2.0","id":%s,"result":{%q:%s%s}}`, id, l.member, page, next)
	}
}
