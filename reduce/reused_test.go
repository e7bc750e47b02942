package reduce

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestReusedCallIDs: an engine that counts its calls from nought in every turn is understood: over several epochs each result stays with the
// call before it, whether the original messages come back or the returned ones.
func TestReusedCallIDs(t *testing.T) {
	var all []json.RawMessage
	for i, m := range worked(t, 60, 8) {
		all = append(all, json.RawMessage(strings.ReplaceAll(string(m), fmt.Sprintf(`"call_%d"`, (i-2)/2), `"call_0"`)))
	}
	for _, returned := range []bool{false, true} {
		k := newKeeper()
		s, sent, epochs := newService(k), []json.RawMessage(nil), 0
		var state *State
		for i := range all {
			if sent = append(sent, all[i]); i%2 == 0 {
				continue
			}
			out := reduced(t, s, Request{Messages: sent, Limit: 6000, State: state})
			if state != nil && out.Removed > state.Removed {
				epochs++
			}
			if state = &out.State; returned {
				sent = out.Messages
			}
			if v := pairs(t, out.Messages); v != "" {
				t.Fatalf("returned %v, message %d: %s", returned, i, v)
			}
		}
		if epochs < 3 {
			t.Errorf("%d epochs, want some", epochs)
		}
		for id, archive := range k.kept {
			if strings.Contains(archive, " result ") && !strings.Contains(archive, " read\n") {
				t.Errorf("%s does not say of which tool its results are", id)
			}
		}
	}
}

// pairs returns a result that does not stand behind the call that it is of, by the numbers in both.
func pairs(t *testing.T, messages []json.RawMessage) string {
	t.Helper()
	called := -1
	for _, raw := range messages {
		var m struct {
			Role, Content string
			Calls         []struct{ Function struct{ Arguments string } } `json:"tool_calls"`
		}
		if err := json.Unmarshal(raw, &m); err != nil {
			t.Fatal(err)
		}
		if len(m.Calls) == 1 {
			if _, err := fmt.Sscanf(m.Calls[0].Function.Arguments, `{"path":"src/part_%d.py"}`, &called); err != nil {
				t.Fatal(err)
			}
		}
		if m.Role == "tool" && !strings.Contains(m.Content, fmt.Sprintf("parse_%d_", called)) {
			return fmt.Sprintf("the result of call %d says %.60s", called, m.Content)
		}
	}
	return ""
}
