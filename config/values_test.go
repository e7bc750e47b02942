package config

import "testing"

// Each kind of value takes the texts of its kind, and refuses the rest. A value that it takes is written as want.
func TestValues(t *testing.T) {
	for _, test := range []struct {
		key, text, want string // want "": refused
	}{
		{"identity.tenant", "acme", "acme"},
		{"identity.tenant", "a b", ""},
		{"identity.clearance", "restricted", "restricted"},
		{"identity.clearance", "cosmic", ""},
		{"identity.authority", "3", "3"},
		{"identity.authority", "5", ""},
		{"read_only", "1", "true"},
		{"read_only", "perhaps", ""},
		{"memory.min_length", "0", "0"},
		{"memory.min_length", "-1", ""},
		{"memory.min_letters", "0", "0"},
		{"memory.min_letters", "1.01", ""},
		{"memory.min_letters", "NaN", ""},
		{"memory.session_ttl", "2h", "2h0m0s"},
		{"memory.session_ttl", "0s", ""},
		{"artifacts.max_age", "0s", "0s"},
		{"ask.timeout", "0s", "0s"},
		{"ask.timeout", "-1s", ""},
		{"http.rate_limit", "2.5", "2.5"},
		{"http.rate_limit", "-1", ""},
		{"http.rate_limit", "Inf", ""},
		{"http.allowed_hosts", " a.example , ,b.example", "a.example,b.example"},
		{"http.auth", "token", "token"},
		{"http.auth", "never", ""},
		{"toolsets", "all", "all toolsets"},
		{"toolsets", "cooking", ""},
		{"redaction.allow", "EMAIL", "EMAIL"},
		{"redaction.allow", "COLOUR", ""},
		{"tokens.limits", "b=2, a=1", "a=1,b=2"},
		{"tokens.limits", "a=0", ""},
		{"tokens.counter", "ratio", "ratio"},
		{"tokens.counter", "thumb", ""},
		{"context.schemas", "b=v2,a=v1", "a=v1,b=v2"},
		{"context.schemas", "a=v1,a=v2", ""},
		{"context.schemas", "a", ""},
		{"context.pii", "reject", "reject"},
		{"context.pii", "share", ""},
		{"artifacts.keep_raw", "encrypted", "encrypted"},
		{"artifacts.keep_raw", "plain", ""},
		{"policy.preset", "strict", "strict"},
		{"policy.preset", "lax", ""},
		{"policy.default", "deny", "deny"},
		{"policy.default", "defer", ""},
		{"quotas.memories", "auto", "auto"},
		{"quotas.memories", "0", "0"},
		{"quotas.memories", "-1", ""},
		{"context_accumulator.classifications", "mail=PII", ""},
		{"context_accumulator.classification_levels", "PUBLIC", ""},
		{"context_accumulator.risk_signals.drift_detection", "false", "false"},
		{"context_accumulator.risk_signals.drift_detection", "maybe", ""},
	} {
		v := valueOf(t, New(), test.key)
		err := v.Set(test.text)
		switch {
		case test.want == "":
			if err == nil {
				t.Errorf("%s takes %q", test.key, test.text)
			}
		case test.want == "all toolsets":
			if err != nil || v.String() == "all" {
				t.Errorf("%s of %q = %s, %v", test.key, test.text, v, err)
			}
		case err != nil || v.String() != test.want:
			t.Errorf("%s of %q = %s, %v, want %s", test.key, test.text, v, err, test.want)
		}
	}
}

func valueOf(t *testing.T, c *Config, key string) Value {
	t.Helper()
	for _, s := range Settings() {
		if s.Key == key {
			return c.Value(s)
		}
	}
	t.Fatalf("there is no setting %s", key)
	return nil
}
