package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDecodeLarge: large arguments are read as encoding/json reads them, whatever their form and order.
func TestDecodeLarge(t *testing.T) {
	long := func(of string) string { return strings.Repeat(of, largeArguments/len(of)+1) }
	text := `"` + long(`a \"line\" of 日本 \ud83d\ude00\n`) + `"`
	list := "[" + long(`1,`) + "2]"
	for _, form := range []string{
		`{"tool_call_id":"c","tool":"t","result":%s,"max_tokens":7}`,
		` { "result" : %s , "tool" : "t", "tool_call_id" : "c", "fields":["a"], "scope": {"project":"p"} } `,
		`{"tool":%s,"tool_call_id":"c","result":null}`,
		`{"tool":"t","result":1,"tool_call_id":"c","result":%s}`,
		`{"tool":"t","Result":1,"tool_call_id":"c","result":%s}`,
		`{"tool":"t","tool_call_id":"c","result":1,"question":%s}`,
		`{"tool":"t","tool_call_id":"c","result":1,"other":%s}`,
	} {
		for _, value := range []string{text, list} {
			arguments := fmt.Sprintf(form, value)
			var got, want wrapIn
			d := json.NewDecoder(strings.NewReader(arguments))
			d.DisallowUnknownFields()
			wantErr := d.Decode(&want)
			gotErr := decode(json.RawMessage(arguments), &got)
			if (gotErr == nil) != (wantErr == nil) {
				t.Errorf("decode(%.60s) = %v, want %v", arguments, gotErr, wantErr)
			} else if gotErr == nil && !reflect.DeepEqual(got, want) { // cmp takes a second for arguments of this length
				t.Errorf("decode(%.60s): (-want +got)\n%.400s", arguments, cmp.Diff(want, got, cmp.AllowUnexported(wrapIn{}, home{})))
			}
		}
	}
	var in putArtifactIn
	if err := decode(json.RawMessage(`{"artifact_type":"log","content":`+text+`}`), &in); err != nil {
		t.Fatal(err)
	}
	var want string
	if err := json.Unmarshal([]byte(text), &want); err != nil || in.Content == nil || *in.Content != want {
		t.Errorf("the content differs from what encoding/json reads, %v", err)
	}
}

// TestDecodeKeepsNoCopy: any JSON that is large is handed on where it lies.
func TestDecodeKeepsNoCopy(t *testing.T) {
	arguments := json.RawMessage(`{"tool_call_id":"c","tool":"t","result":"` + strings.Repeat("x", largeArguments) + `"}`)
	var in wrapIn
	if err := decode(arguments, &in); err != nil {
		t.Fatal(err)
	}
	if at := bytes.IndexByte(arguments, 'x'); &arguments[at] != &in.Result[1] {
		t.Error("the result was copied")
	}
}
