package gateway

import (
	"encoding/json"
	"reflect"
	"testing"
)

// FuzzReadFrame: a message is read as encoding/json reads it, but for names in another case, which are none of the protocol.
func FuzzReadFrame(f *testing.F) {
	for _, text := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"a\nb"}]}}`, ` {"id" : "a" , "error":{"code":1} } `, `{"id":null,"method":"m","params":[1]}`,
		`{"method":1}`, `{"id":1`, `[1]`, `{}`, `"x"`, `{"\u0069d":7,"result":null}`, `{"id":1,"id":2}`, `{"result":{"id":3}}`, `{"method":null,"id":1}`, "{\"id\":\"\xff\"}",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var members map[string]json.RawMessage
		is := json.Unmarshal([]byte(text), &members) == nil
		want := frame{ID: members["id"], Params: members["params"], Result: members["result"], Error: members["error"]}
		is = is && (members["method"] == nil || json.Unmarshal(members["method"], &want.Method) == nil)
		got, ok := readFrame([]byte(text))
		switch {
		case is && (!ok || !reflect.DeepEqual(got, want)):
			t.Errorf("readFrame(%q) = %+v, %t, want %+v", text, got, ok, want)
		case !is && (got.Result != nil || got.Error != nil || got.Method != ""):
			t.Errorf("readFrame(%q) = %+v of no message", text, got)
		}
	})
}
