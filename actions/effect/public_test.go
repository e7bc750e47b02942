package effect

import (
	_ "embed" // for the calls
	"encoding/json"
	"strings"
	"testing"
)

//go:embed testdata/public.txt
var publicCalls string

// TestPublicCalls holds calls of public servers, and lines of clients of clouds, against how far each goes: one that looks has no danger and reads no secrets, one that
// changes a record has little, one that gives power, ends something or spends money has more.
func TestPublicCalls(t *testing.T) {
	for line := range strings.Lines(publicCalls) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		want, call, _ := strings.Cut(line, " ")
		tool, arguments, _ := strings.Cut(call, " ")
		var parameters map[string]any
		if err := json.Unmarshal([]byte(arguments), &parameters); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		all, err := Of(t.Context(), Call{Tool: tool, Parameters: parameters})
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		danger, secret := all[0].Class.Danger(), false
		for _, e := range all {
			danger, secret = max(danger, e.Class.Danger()), secret || e.Secret
		}
		if want == "looks" && (danger > 1 || secret) || want == "changes" && danger > 2 || want == "power" && danger < 3 || want == "opens" && !secret {
			t.Errorf("%s: is %s, and reads secrets: %v", line, all[0].Class, secret)
		}
	}
}
