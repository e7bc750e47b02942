package envelope

import (
	"strings"
	"testing"
)

// TestQuestion: what answers a question is shown within a small budget, with what it stands below.
func TestQuestion(t *testing.T) {
	prose := strings.Repeat("The harbour was busy in those days, and many boats came in from the islands.\n\n", 120)
	for _, tt := range []struct {
		name, question, text string
		want                 []string
	}{
		{"a paragraph in other words", "What does a yearly ticket cost?", prose + "An annual pass for one person is 87 euros.\n\n" + prose, []string{"An annual pass for one person is 87 euros."}},
		{"a section by its heading", "How do I renew the certificate?", prose + "## Renewing the certificate\n\nRun `pki issue --days 90` on the bastion.\n\n## Deleting a user\n\n" + prose,
			[]string{"## Renewing the certificate", "Run `pki issue --days 90` on the bastion."}},
		{"a setting by the names above it", "What is the memory limit of the parser?", repeated(80, "  svc%:\n    limits:\n      memory: 1%m\n      cpu: 2\n") +
			"  parser:\n    limits:\n      memory: 768m\n      cpu: 2\n" + repeated(80, "  job%:\n    limits:\n      memory: 2%m\n      cpu: 2\n"),
			[]string{"  parser:\n    limits:\n      memory: 768m"}},
		{"a number as it is written", "Who called at 14:07:31?", repeated(900, "2026-01-02 13:%:00 INFO call by caller-%\n") + "2026-01-02 14:07:31 INFO call by miller\n" + repeated(900, "2026-01-02 15:%:00 INFO call by caller-%\n"),
			[]string{"call by miller"}},
		{"the slowest of many", "Was a query unusually slow?", repeated(100, "10:00:01 INFO query took 1% ms\n10:00:01 INFO query took 4% ms\n") + "10:00:02 INFO query took 98765 ms\n" + repeated(100, "10:00:03 INFO query took 2% ms\n10:00:03 INFO query took 1% ms\n"),
			[]string{"10:00:02 INFO query took 98765 ms"}},
		{"a row with the head of its columns", "Is the blue lamp in stock?", "article,colour,stock\n" + repeated(400, "chair %,red,1%\n") + "lamp,blue,0\n" + repeated(400, "table %,red,1%\n"),
			[]string{"article,colour,stock", "lamp,blue,0"}},
		{"the words around the answer in a long line", "Where is the spare key?", strings.Repeat("nothing of note happened that day and the weather was fair ", 60) + "the spare key hangs behind the boiler " + strings.Repeat("and again nothing happened that anyone wrote down ", 60) + "\nend\n",
			[]string{"the spare key hangs behind the boiler"}},
	} {
		s, _ := service()
		out := wrap(t, s, Result{Value: quoted(tt.text), MaxTokens: 330, Question: tt.question})
		for _, want := range tt.want {
			if !strings.Contains(out.Content, want) {
				t.Errorf("%s: %q is not in\n%s", tt.name, want, out.Content)
			}
		}
		if out.Tokens > 330 {
			t.Errorf("%s: %d tokens of 330", tt.name, out.Tokens)
		}
	}
}

// TestWords: words are parted where letters and digits are, and at capitals within.
func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"HTTPClient.readTimeout = 30s": "http client read timeout 30 s", "max_line-length": "max line length", "Überweisung an Zoë": "uberweisung an zoe",
		"ABC": "abc", "": "", "v1.2": "v 1 2",
	} {
		var words []string
		eachWord(text, func(form []byte, _ int) bool {
			words = append(words, string(form))
			return true
		})
		if got := strings.Join(words, " "); got != want {
			t.Errorf("the words of %q are %q, want %q", text, got, want)
		}
	}
}
