package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/ctx-mcp/ctx-mcp/redact"
)

// A sampleSecret is a text with a secret in it.
type sampleSecret struct {
	label, text string
	secrets     []string
}

const shortestSought = 8 // bytes of a secret that stands nowhere by chance

var markedSecret = regexp.MustCompile(`(?s)«(.*?)»`)

// sampleSecrets are the samples of every detector.
func sampleSecrets() (list []sampleSecret) {
	for _, l := range redact.Labels() {
		for _, sample := range l.Samples {
			s := sampleSecret{label: l.Name, text: strings.NewReplacer("«", "", "»", "").Replace(sample)}
			for _, m := range markedSecret.FindAllStringSubmatch(sample, -1) {
				if len(m[1]) >= shortestSought {
					s.secrets = append(s.secrets, m[1])
				}
			}
			list = append(list, s)
		}
	}
	return list
}

// keptInMemories are the labels that memories leave alone unless they are told otherwise.
var keptInMemories = map[string]bool{"EMAIL": true, "PHONE": true}

// callsFor returns the calls that bring a text to every place that takes one, the last ones wrong.
func callsFor(i int, s sampleSecret) []mcp.CallToolParams {
	type arguments = map[string]any
	id := fmt.Sprintf("plant-%d", i)
	calls := []mcp.CallToolParams{
		{Name: "wrap_tool_result", Arguments: arguments{"tool_call_id": id, "tool": "sample", "result": s.text}},
		{Name: "wrap_tool_result", Arguments: arguments{"tool_call_id": id, "tool": "sample", "result": arguments{"output": s.text, "n": 1}, "max_tokens": 120}},
		{Name: "put_artifact", Arguments: arguments{"content": s.text, "artifact_type": "notes", "summary": s.text}},
		{Name: "save_task_state", Arguments: arguments{"task_id": id, "summary": s.text, "metadata": arguments{"note": s.text}}},
		{Name: "save_task_state", Arguments: arguments{"task_id": id, "producer": s.text}},
		{Name: "wrap_tool_result", Arguments: arguments{"tool_call_id": s.text, "tool": s.text, "result": "x", "max_tokens": 1}},
		{Name: "wrap_tool_result", Arguments: arguments{"tool_call_id": id, "tool": "sample", "result": s.text, "strategy": s.text}},
		{Name: "wrap_tool_result", Arguments: arguments{"tool_call_id": id, "tool": "sample", "result": s.text, s.text: 1}},
		{Name: "get_artifact", Arguments: arguments{"artifact_id": s.text}},
		{Name: "declare_fields", Arguments: arguments{"task_id": id, "fields": []string{s.text}}},
		{Name: "save_task_state", Arguments: arguments{"task_id": s.text, "artifact_ids": []string{s.text}}},
	}
	if !keptInMemories[s.label] {
		calls = append(calls,
			mcp.CallToolParams{Name: "remember", Arguments: arguments{
				"content": s.text, "why_it_matters": s.text, "author": s.text, "source": arguments{"kind": "user_statement", "origin": s.text}}},
			mcp.CallToolParams{Name: "recall", Arguments: arguments{"query": s.text}},
			mcp.CallToolParams{Name: "forget", Arguments: arguments{"object_id": s.text, "reason": s.text}})
	}
	return calls
}

// planters is how many calls are under way at a time: most of one is waiting for the disk.
const planters = 4

func plant(ts *testscript.TestScript, neg bool, args []string) {
	s, calls, failed := sessionOf(ts), make(chan mcp.CallToolParams), make(chan error, 1)
	var planting sync.WaitGroup
	for range planters {
		planting.Go(func() {
			for params := range calls {
				if _, err := s.client.CallTool(context.Background(), mcp.CallToolRequest{Params: params}); err != nil {
					select {
					case failed <- fmt.Errorf("%s with %v: %w", params.Name, params.Arguments, err):
					default: // the first is told
					}
				}
			}
		})
	}
	for i, sample := range sampleSecrets() {
		for _, params := range callsFor(i, sample) {
			calls <- params
		}
	}
	close(calls)
	planting.Wait()
	select {
	case err := <-failed:
		ts.Fatalf("%v", err)
	default:
	}
}

// restingPlaces returns the bytes of every place where the input of a caller may rest.
func restingPlaces(ts *testscript.TestScript) map[string][]byte {
	s := sessionOf(ts)
	places := map[string][]byte{"the log": []byte(s.logs.String())}
	if s.url != "" && s.client != nil {
		response, err := http.Get(strings.TrimSuffix(s.url, "/mcp") + "/metrics")
		ts.Check(err)
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		ts.Check(err)
		places["/metrics"] = text
	}
	ts.Check(filepath.WalkDir(ts.MkAbs("data"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		places[path], err = os.ReadFile(path)
		return err
	}))
	return places
}

func unleaked(ts *testscript.TestScript, neg bool, args []string) {
	places := restingPlaces(ts)
	leaks := 0
	for _, sample := range sampleSecrets() {
		for _, secret := range sample.secrets {
			forms := formsOf(secret)
			for place, content := range places {
				if at := find(content, forms); at >= 0 {
					ts.Logf("%s: %q stands in %s: %q", sample.label, secret, place, content[max(0, at-80):min(len(content), at+len(secret)+40)])
					leaks++
				}
			}
		}
	}
	if leaks > 0 {
		ts.Fatalf("%d secrets leaked", leaks)
	}
}

// formsOf returns a secret as it is and, where that is another form, as it stands in JSON.
func formsOf(secret string) [][]byte {
	quoted, err := json.Marshal(secret)
	if err != nil {
		panic(err) // a string has its JSON
	}
	plain, quoted := []byte(secret), quoted[1:len(quoted)-1]
	if bytes.Equal(plain, quoted) {
		return [][]byte{plain}
	}
	return [][]byte{plain, quoted}
}

// find returns where the first form stands in the content, or -1.
func find(content []byte, forms [][]byte) int {
	for _, form := range forms {
		if at := bytes.Index(content, form); at >= 0 {
			return at
		}
	}
	return -1
}
