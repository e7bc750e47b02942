package redact

import "testing"

func TestJSONStaysJSON(t *testing.T) {
	r := New(nil)
	for _, c := range []struct{ name, in, want string }{
		{"a bare number becomes a string", `{"password": 12345678, "n": 1}`, `{"password": "[PASSWORD:REDACTED]", "n": 1}`},
		{"in an array", `[4242424242424242, 1, null]`, `["[CARD:REDACTED]", 1, null]`},
		{"line by line", "{\"pan\": 4242424242424242}\n{\"pan\": 5}\n", "{\"pan\": \"[CARD:REDACTED]\"}\n{\"pan\": 5}\n"},
		{"JSON in JSON", `{"body": "{\"pwd\": 12345678, \"n\": 1}"}`, `{"body": "{\"pwd\": \"[PASSWORD:REDACTED]\", \"n\": 1}"}`},
		{"cut short", `{"items": [{"password": 12345678, "n": 1}, {"pass`, `{"items": [{"password": "[PASSWORD:REDACTED]", "n": 1}, {"pass`},
		{"after other text", `INFO body={"password": 12345678}`, `INFO body={"password": "[PASSWORD:REDACTED]"}`},
		{"a key", `{"` + "ghp_" + `0123456789abcdefghijABCDEFGHIJ012345": 1}`, `{"[GITHUB_TOKEN:REDACTED]": 1}`},
		{"an escape at the end", `{"a": "password=hunter2\tb"}`, `{"a": "password=[PASSWORD:REDACTED]\tb"}`},
		{"several strings", `["-----BEGIN EC PRIVATE KEY-----", "` + "MIIEvgIBADANBgkqhkiG9w0B" + `", "-----END EC PRIVATE KEY-----"]`,
			`["-----BEGIN EC PRIVATE KEY-----", "[PRIVATE_KEY:REDACTED]", "-----END EC PRIVATE KEY-----"]`},
		{"a string that looks like a key and a number", `{"a":": 4242424242424242"}`, `{"a":": [CARD:REDACTED]"}`},
	} {
		if got, _ := r.Text(c.in); got != c.want {
			t.Errorf("%s: Text(%s)\n got %s\nwant %s", c.name, c.in, got, c.want)
		}
	}
}
