package envelope

import (
	"encoding/base64"
	"strings"
	"testing"
)

// TestBase64BeginsWholly: the beginning of base64 is shown in full or not at all, and the number of bytes in any case.
func TestBase64BeginsWholly(t *testing.T) {
	s, _ := service()
	encoded := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("The kiln stands at 1240 degrees. ", 60)))
	shown := map[bool]int{}
	for most := 45; most <= 120; most++ {
		line, _, _ := strings.Cut(wrap(t, s, Result{Value: quoted(encoded), MaxTokens: most, Bare: true}).Content, "; the whole")
		switch line {
		case "base64 of 1980 bytes left out":
			shown[false]++
		case "base64 of 1980 bytes left out; it begins with " + encoded[:60] + "…":
			shown[true]++
		default:
			t.Errorf("within %d tokens: %q", most, line)
		}
	}
	if shown[false] == 0 || shown[true] == 0 {
		t.Errorf("with the beginning %d, without %d: want both", shown[true], shown[false])
	}
}
