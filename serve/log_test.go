package serve

import (
	"strings"
	"testing"
)

func TestLogTellsWhoAndWhatButNoContent(t *testing.T) {
	f := newFixture(t)
	url := f.serveHandler(t, HTTPOptions{Authenticate: authenticate})
	body, headers := modernRPC(2, "tools/call", callParams("whoami", "text", secret))
	send(t, "POST", url+"?q="+secret, body, append(headers, "Authorization: Bearer alice-operator")...)
	send(t, "POST", url, `{"`+secret+`": }`, "Authorization: Bearer alice-operator")
	send(t, "POST", url, body, append(headers, "Authorization: Bearer "+secret)...)
	send(t, "GET", strings.TrimSuffix(url, "mcp")+"healthz", "")

	log := f.log.String()
	for _, want := range []string{
		`level=INFO msg="http request" method=POST path=/mcp status=200 duration=`,
		`level=INFO msg="http request" method=POST path=/mcp status=400 duration=`,
		`level=INFO msg="http request" method=POST path=/mcp status=401 duration=`,
		`level=DEBUG msg="http request" method=GET path=/healthz status=200 duration=`,
		` user=alice`,
	} {
		if !strings.Contains(log, want) {
			t.Errorf("the log does not hold %q:\n%s", want, log)
		}
	}
	for _, private := range []string{secret, "alice-operator"} {
		if strings.Contains(log, private) {
			t.Errorf("the log holds %q:\n%s", private, log)
		}
	}
}
