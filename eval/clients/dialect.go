package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// object is a JSON object.
type object = map[string]any

// objects returns the objects of a list.
func objects(v any) []object {
	list, _ := v.([]any)
	var all []object
	for _, e := range list {
		if o, ok := e.(object); ok {
			all = append(all, o)
		}
	}
	return all
}

func text(v any) string { s, _ := v.(string); return s }

// tool is a tool that a request offers.
type tool struct {
	name, space, kind string // space and kind are of the Responses API: the namespace, and function, custom or tool_search
}

// request is a request to the model.
type request struct {
	Path string
	Body object
	Raw  string // as it came
}

// dialect is a form of requests and answers.
type dialect struct {
	// results returns how many results of tools a request holds, without those of a search for tools.
	results func(object) int
	answer  func(w http.ResponseWriter, body object, number int, calls []call, say string)
}

// dialectOf returns the dialect of a path.
func dialectOf(path string) (dialect, bool) {
	switch {
	case strings.HasSuffix(path, "/responses"):
		return dialect{responsesResults, answerResponses}, true
	case strings.HasSuffix(path, "/chat/completions"):
		return dialect{chatResults, answerChat}, true
	case strings.Contains(path, "enerateContent"):
		return dialect{geminiResults, answerGemini}, true
	}
	return dialect{}, false
}

// offered returns the tools of a request, in any dialect, with those that a search has brought.
func (r request) offered() []tool {
	var all []tool
	add := func(list any) {
		for _, t := range objects(list) {
			kind := text(t["type"])
			switch f, _ := t["function"].(object); {
			case f != nil:
				all = append(all, tool{text(f["name"]), "", "function"})
			case kind == "namespace":
				for _, u := range objects(t["tools"]) {
					all = append(all, tool{text(u["name"]), text(t["name"]), text(u["type"])})
				}
			case t["functionDeclarations"] != nil:
				for _, u := range objects(t["functionDeclarations"]) {
					all = append(all, tool{text(u["name"]), "", "function"})
				}
			case text(t["name"]) != "":
				all = append(all, tool{text(t["name"]), "", kind})
			default:
				all = append(all, tool{kind, "", kind})
			}
		}
	}
	add(r.Body["tools"])
	for _, item := range objects(r.Body["input"]) {
		add(item["tools"])
	}
	return all
}

// notYet is in the result of a call that came before the client had the tools of its servers: the step is played again.
const notYet = "the tool is not offered yet"

func responsesResults(body object) (n int) {
	for _, item := range objects(body["input"]) {
		said := fmt.Sprint(item["output"])
		early := strings.Contains(said, notYet) || strings.Contains(said, "unsupported call")
		if kind := text(item["type"]); strings.HasSuffix(kind, "_output") && kind != "tool_search_output" && !early {
			n++
		}
	}
	return n
}

func chatResults(body object) (n int) {
	searched := map[string]bool{}
	for _, m := range objects(body["messages"]) {
		for _, c := range objects(m["tool_calls"]) {
			if f, _ := c["function"].(object); text(f["name"]) == "tool_search" {
				searched[text(c["id"])] = true
			}
		}
		if text(m["role"]) == "tool" && !searched[text(m["tool_call_id"])] {
			n++
		}
	}
	return n
}

func geminiResults(body object) (n int) {
	for _, c := range objects(body["contents"]) {
		for _, p := range objects(c["parts"]) {
			if p["functionResponse"] != nil {
				n++
			}
		}
	}
	return n
}

// send writes events as a stream.
func send(w http.ResponseWriter, named bool, events ...any) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range events {
		if named {
			fmt.Fprintf(w, "event: %s\n", text(e.(object)["type"]))
		}
		if done, ok := e.(string); ok {
			fmt.Fprintf(w, "data: %s\n\n", done)
			continue
		}
		line, err := json.Marshal(e)
		if err != nil {
			panic(err) // it is made of strings and numbers here
		}
		fmt.Fprintf(w, "data: %s\n\n", line)
	}
}

func sendJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		_, _ = io.WriteString(w, "{}")
	}
}

// answerResponses answers in the form of OpenAI's Responses API.
func answerResponses(w http.ResponseWriter, body object, number int, calls []call, say string) {
	var items []any
	for i, c := range calls {
		id := fmt.Sprintf("call_%d_%d", number, i)
		item := object{"id": "item_" + id, "call_id": id, "status": "completed"}
		switch c.kind {
		case "tool_search":
			item["type"], item["execution"], item["arguments"] = "tool_search_call", "client", c.args
		case "custom":
			item["type"], item["name"], item["input"] = "custom_tool_call", c.name, c.code
		default:
			item["type"], item["name"], item["arguments"] = "function_call", c.name, c.arguments()
		}
		if c.space != "" {
			item["namespace"] = c.space
		}
		items = append(items, item)
	}
	if len(items) == 0 {
		part := object{"type": "output_text", "text": say, "annotations": []any{}}
		items = append(items, object{"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": []any{part}})
	}
	used := 100
	if len(calls) > 0 && calls[0].used > 0 {
		used = calls[0].used
	}
	whole := object{
		"id": fmt.Sprintf("resp_%d", number), "object": "response", "created_at": 0, "status": "completed", "model": body["model"], "output": items,
		"usage": object{"input_tokens": used, "output_tokens": 5, "total_tokens": used + 5},
	}
	if body["stream"] != true {
		sendJSON(w, whole)
		return
	}
	events := []any{object{"type": "response.created", "response": object{"id": whole["id"], "status": "in_progress", "output": []any{}}}}
	for i, item := range items {
		events = append(events, object{"type": "response.output_item.added", "output_index": i, "item": item},
			object{"type": "response.output_item.done", "output_index": i, "item": item})
	}
	send(w, true, append(events, object{"type": "response.completed", "response": whole})...)
}

// answerChat answers in the form of OpenAI's chat completions.
func answerChat(w http.ResponseWriter, body object, number int, calls []call, say string) {
	message, why := object{"role": "assistant", "content": say}, "stop"
	if len(calls) > 0 {
		var list []any
		for i, c := range calls {
			list = append(list, object{"index": i, "id": fmt.Sprintf("call_%d_%d", number, i), "type": "function",
				"function": object{"name": c.name, "arguments": c.arguments()}})
		}
		message["content"], message["tool_calls"], why = "", list, "tool_calls"
	}
	base := func(kind string, choices ...any) object {
		return object{"id": fmt.Sprintf("chatcmpl-%d", number), "object": kind, "created": 0, "model": body["model"], "choices": choices}
	}
	usage := object{"prompt_tokens": 100, "completion_tokens": 5, "total_tokens": 105}
	if body["stream"] != true {
		whole := base("chat.completion", object{"index": 0, "message": message, "finish_reason": why})
		whole["usage"] = usage
		sendJSON(w, whole)
		return
	}
	const chunk = "chat.completion.chunk"
	last := base(chunk)
	last["choices"], last["usage"] = []any{}, usage // a chunk with both is read by some clients as the last
	send(w, false, base(chunk, object{"index": 0, "delta": message, "finish_reason": nil}),
		base(chunk, object{"index": 0, "delta": object{}, "finish_reason": why}), last, "[DONE]")
}

// answerGemini answers in the form of the Gemini API.
func answerGemini(w http.ResponseWriter, _ object, _ int, calls []call, say string) {
	parts := []any{object{"text": say}}
	if len(calls) > 0 {
		parts = nil
	}
	for _, c := range calls {
		parts = append(parts, object{"functionCall": object{"name": c.name, "args": c.args}})
	}
	send(w, false, object{
		"candidates":    []any{object{"content": object{"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}},
		"usageMetadata": object{"promptTokenCount": 100, "candidatesTokenCount": 5, "totalTokenCount": 105}, "modelVersion": "scripted",
	})
}
