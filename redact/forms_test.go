package redact

import (
	"regexp"
	"strings"
	"testing"
)

func TestSecretsGoInEveryForm(t *testing.T) {
	r := New(nil)
	for form, list := range secretForms {
		for _, sample := range list {
			text, _, secrets := parseSample(t, "X", sample)
			pattern := regexp.MustCompile(`«[^»]*»`).ReplaceAllString(regexp.QuoteMeta(sample), `\[[A-Z0-9_]+:REDACTED\]`)
			got, _ := r.Text(text)
			if !regexp.MustCompile("(?s)^" + pattern + "$").MatchString(got) {
				t.Errorf("%s: Text(%q)\n      = %q", form, text, got)
			}
			for _, in := range []string{encode(t, text), "before\n" + text + "\nafter", "  " + strings.ReplaceAll(text, "\n", "\n  ")} {
				got, _ := r.Text(in)
				checkGone(t, form, got, secrets)
			}
		}
	}
}

func TestPlainTextStaysInEveryForm(t *testing.T) {
	r := New(nil)
	for _, text := range plainForms {
		for _, in := range []string{text, encode(t, text), "before\n" + text + "\nafter"} {
			if got, _ := r.Text(in); got != in {
				t.Errorf("Text(%q)\n      = %q", in, got)
			}
		}
	}
}
