package envelope

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestOpen: the wrapping of a protocol or a shell is taken off a text, and the text is treated by its own kind.
func TestOpen(t *testing.T) {
	log := strings.Repeat("2026-01-02 03:04:05 INFO all is well\n", 300) + "2026-01-02 03:05:00 ERROR disk full\n"
	str := func(text string) string { return string(quoted(text)) }
	image := base64.StdEncoding.EncodeToString([]byte("not really a picture"))
	for _, tt := range []struct {
		name, value, kind string
		want, not         []string
	}{
		{"content of MCP", `{"content":[{"type":"text","text":` + str(log) + `}]}`, "log", []string{"all is well (×300)", "ERROR disk full"}, []string{"content", `\n`}},
		{"blocks alone", `[{"type":"text","text":` + str(log) + `}]`, "log", []string{"ERROR disk full"}, []string{`"type"`}},
		{"a reply of JSON-RPC", `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"fine"}]}}`, "text", []string{"fine"}, []string{"jsonrpc"}},
		{"an error", `{"content":[{"type":"text","text":"no such table"}],"isError":true}`, "parts", []string{"isError: true\nno such table"}, nil},
		{"an image", `{"content":[{"type":"text","text":"drawn"},{"type":"image","data":"` + image + `","mimeType":"image/png"}]}`, "parts",
			[]string{"drawn\n[image image/png: 20 bytes, sha256 ", "left out and not kept]"}, []string{image}},
		{"structure said twice", `{"content":[{"type":"text","text":"{\"a\": 1}"}],"structuredContent":{"a":1}}`, "json_object", []string{`{"a": 1}`}, []string{"structuredContent"}},
		{"structure beside words", `{"content":[{"type":"text","text":"one"}],"structuredContent":{"a":1}}`, "parts", []string{"one\nstructuredContent:\n{\"a\":1}"}, nil},
		{"a command", `{"stdout":` + str(log) + `,"stderr":"","exit_code":1}`, "parts", []string{`{"stderr":"","exit_code":1}`, "stdout:\n", "ERROR disk full", "(×300)"}, []string{`\n`, "left out"}},
		{"JSON in a string", `{"ok":true,"body":` + str(`{"list":[`+strings.Repeat(`{"n":1},`, 900)+`{"n":2,"error":"lost"}]}`) + `}`, "parts", []string{`"error":"lost"`}, []string{`\"`}},
		{"another form that looks like it", `{"content":[{"type":"text","text":"a","more":1}]}`, "json_object", []string{`"more":1`}, nil},
		{"a small object", `{"stdout":"a\nb\nc\n","exit_code":0}`, "json_object", []string{`"exit_code":0`}, nil},
	} {
		s, _ := service()
		out := wrap(t, s, Result{Value: json.RawMessage(tt.value), MaxTokens: 300})
		if out.Kind != tt.kind || out.Tokens > 300 {
			t.Errorf("%s: %s of %d tokens, want %s of at most 300", tt.name, out.Kind, out.Tokens, tt.kind)
		}
		for _, want := range tt.want {
			if !strings.Contains(out.Content, want) {
				t.Errorf("%s: %q is not in\n%s", tt.name, want, out.Content)
			}
		}
		for _, not := range tt.not {
			if strings.Contains(out.Content, not) {
				t.Errorf("%s: %q is in\n%s", tt.name, not, out.Content)
			}
		}
	}
}

// TestOpenedLines: the numbers of the lines that are left out are those of the artifact.
func TestOpenedLines(t *testing.T) {
	s, kept := service()
	var b strings.Builder
	for i := range 400 {
		fmt.Fprintf(&b, "entry of the %d. day\n", i)
	}
	wrap(t, s, Result{Value: json.RawMessage(`{"exit_code":1,"stdout":` + string(quoted(b.String())) + `}`), MaxTokens: 200})
	lines := strings.Split(kept.kept[0].Content, "\n")
	if lines[0] != `{"exit_code":1}` || lines[1] != "stdout:" || lines[2] != "entry of the 0. day" {
		t.Errorf("the artifact begins with %q", lines[:3])
	}
}

// TestOpenedSecrets: a result that is opened is redacted in each part.
func TestOpenedSecrets(t *testing.T) {
	s, kept := service()
	out := wrap(t, s, Result{Value: json.RawMessage(`{"content":[{"type":"text","text":"id ` + awsKey + `"},{"type":"text","text":"again ` + awsKey + `"}]}`)})
	if strings.Contains(out.Content, awsKey) || len(out.Redactions) != 1 || out.Redactions[0].Count != 2 || len(kept.kept) != 0 {
		t.Errorf("%+v of %s", out.Redactions, out.Content)
	}
}
