package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
)

var padding = strings.Repeat("x", lightMessage)

func TestPart(t *testing.T) {
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":%s}}`
	for _, c := range []struct{ name, text, rest, arguments string }{
		{"a large call", fmt.Sprintf(call, `{"a":"`+padding+`"}`), fmt.Sprintf(call, "{}"), `{"a":"` + padding + `"}`},
		{"arguments that are no object", fmt.Sprintf(call, `"`+padding+`"`), fmt.Sprintf(call, "{}"), `"` + padding + `"`},
		{"spaced, in another order, and with an escape", `{ "PARAMS" : { "argu\u006dents" : [ "` + padding + `" ] , "name":"t" } , "method" : "tools/call" }`,
			`{ "PARAMS" : { "argu\u006dents" : {} , "name":"t" } , "method" : "tools/call" }`, `[ "` + padding + `" ]`},
		{"a small call", fmt.Sprintf(call, `{"a":1}`), "", ""},
		{"another method", `{"method":"prompts/get","params":{"arguments":{"a":"` + padding + `"}}}`, "", ""},
		{"arguments twice", `{"method":"tools/call","params":{"arguments":{},"Arguments":{"a":"` + padding + `"}}}`, "", ""},
		{"parameters twice", `{"method":"tools/call","params":{"arguments":{"a":"` + padding + `"}},"params":{"name":"t"}}`, "", ""},
		{"no arguments", `{"method":"tools/call","params":{"name":"` + padding + `"}}`, "", ""},
		{"no object", `["` + padding + `"]`, "", ""},
	} {
		if c.rest == "" {
			c.rest = c.text
		}
		rest, arguments := part([]byte(c.text))
		if string(rest) != c.rest || string(arguments) != c.arguments {
			t.Errorf("%s: part = %.200s, %.100s, want %.200s, %.100s", c.name, rest, arguments, c.rest, c.arguments)
		}
	}
}

// TestLargeArgumentsArriveWhole: a tool gets its arguments as they were sent, large or small, over both transports, and the library is not shown
// large ones.
func TestLargeArgumentsArriveWhole(t *testing.T) {
	for _, length := range []int{1, lightMessage, 300_000} {
		f := newFixture(t)
		f.AddTool(mcp.NewTool("measure"), func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var in struct{ Name string }
			if err := r.BindArguments(&in); err != nil || !json.Valid(r.Params.RawArguments) {
				return nil, fmt.Errorf("bind: %w", err)
			}
			return mcp.NewToolResultText(fmt.Sprintf("%d characters", len(in.Name))), nil
		})
		line := toolCall(2, "measure", "name", strings.Repeat("x", length))
		want := fmt.Sprintf("%d characters", length)
		if got := strings.Join(pipe(t, f, StdioOptions{}, initialize, line), "\n"); !strings.Contains(got, want) {
			t.Errorf("over stdio %d are %.300s", length, got)
		}
		url := f.serveHandler(t, HTTPOptions{})
		if got := send(t, "POST", url, line, begin(t, url)); !strings.Contains(got.body, want) {
			t.Errorf("over HTTP %d are %d %.300s", length, got.status, got.body)
		}
	}
}

// TestOnlyArgumentsAreLarge: the rest of a message, which the library reads a dozen times, is refused before that.
func TestOnlyArgumentsAreLarge(t *testing.T) {
	large := strings.Repeat("x", maxRest)
	f := newFixture(t)
	url := f.serveHandler(t, HTTPOptions{})
	session := begin(t, url)
	for name, line := range map[string]string{
		"another method":  rpc(3, "ping", map[string]any{"x": large}),
		"arguments twice": strings.Replace(toolCall(3, "whoami", "name", large), `"arguments"`, `"arguments":{},"Arguments"`, 1),
		"beside them":     strings.Replace(toolCall(3, "whoami", "name", large), `"arguments"`, `"more"`, 1),
	} {
		want := `"id":3,"error":{"code":-32600,"message":"a message is not larger than 262144 bytes, but for the arguments of a tool"}`
		if got := send(t, "POST", url, line, session); got.status != http.StatusBadRequest || !strings.Contains(got.body, want) {
			t.Errorf("%s over HTTP = %d %.300s", name, got.status, got.body)
		}
		if got := strings.Join(pipe(t, f, StdioOptions{}, initialize, line), "\n"); !strings.Contains(got, want) {
			t.Errorf("%s over stdio = %.300s", name, got)
		}
	}
}

// FuzzPart: the library reads the same from the rest with the arguments as from the whole.
func FuzzPart(f *testing.F) {
	f.Add(`{"method":"tools/call","params":{"name":"t","arguments":{"a":[1]}}}`)
	f.Add(`{"method":"tools/call","params":{"arguments":{},"Arguments":1,"name":"x"},"Method":"y"}`)
	f.Fuzz(func(t *testing.T, text string) {
		text += strings.Repeat(" ", lightMessage)
		rest, arguments := part([]byte(text))
		if !json.Valid([]byte(text)) || arguments == nil {
			return
		}
		var whole, parted mcp.CallToolRequest
		wrong, err := json.Unmarshal([]byte(text), &whole), json.Unmarshal(rest, &parted)
		if (wrong == nil) != (err == nil) {
			t.Fatalf("%q is read with %v, and its rest with %v", text, wrong, err)
		}
		if string(whole.Params.RawArguments) != string(arguments) && err == nil {
			t.Fatalf("the arguments of %q are %q", text, arguments)
		}
		whole.Params.RawArguments, whole.Params.Arguments = nil, nil
		parted.Params.RawArguments, parted.Params.Arguments = nil, nil
		if err == nil && !reflect.DeepEqual(whole, parted) {
			t.Fatalf("%q is read as %+v, and its rest as %+v", text, whole, parted)
		}
	})
}
