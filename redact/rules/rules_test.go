package rules

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp/redact"
)

func TestParseReadsRulesInTheFormOfGitleaks(t *testing.T) {
	list, err := Parse(`
[[rules]]
id = "acme-badge"
regex = '''acme-badge[:= ]+([a-z]{4}-\d{6})'''
keywords = ["acme-badge"]
entropy = 2.0
[[rules.allowlists]]
stopwords = ["demo"]
`)
	if err != nil {
		t.Fatalf("Parse: %v", err)
	}
	r, err := redact.New(nil).With(list...)
	if err != nil {
		t.Fatalf("With: %v", err)
	}
	for in, want := range map[string]string{
		"Acme-Badge is acme-badge: kqzt-481516, ok": "Acme-Badge is acme-badge: [CUSTOM:REDACTED], ok",
		"acme-badge: demo-481516":                   "acme-badge: demo-481516",
		"kqzt-481516 stands alone":                  "kqzt-481516 stands alone",
	} {
		if got, _ := r.Text(in); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestParseNamesTheRuleAndWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		`[[rules]]` + "\nid = 'a'\nregex = '('\nkeywords = ['a']":                                                              `"a"`,
		`[[rules]]` + "\nid = 'a'\nkeywords = ['a']":                                                                           "needs a regex",
		`[[rules]]` + "\nid = 'a'\nregex = 'a'\npath = 'x'":                                                                    "path",
		`[[rules]]` + "\nid = 'a'\nregex = 'a'\nsecretGroup = 2":                                                               "no group 2",
		`[[rules]]` + "\nid = 'a'\nregex = 'a'\nkeyword = ['a']":                                                               "keyword",
		`[[rules]]` + "\nid = 'a'\nregex = 'a'\nkeywords = ['a']\n[[rules.allowlists]]\nregexTarget = 'line'\nregexes = ['a']": "of the secret",
		`rules = 7`: "read rules",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q): error %v, want one with %q", text, err, want)
		}
	}
}

func TestARuleNeedsAKeyword(t *testing.T) {
	list, err := Parse("[[rules]]\nid = 'a'\nregex = 'a{9}'")
	if err != nil {
		t.Fatalf("Parse: %v", err)
	}
	if _, err := redact.New(nil).With(list...); err == nil || !strings.Contains(err.Error(), `"a" has no keyword`) {
		t.Errorf("With: error %v, want one that names the rule", err)
	}
}

func withVendors(tb testing.TB) *redact.Redactor {
	tb.Helper()
	list, err := Vendors()
	if err != nil {
		tb.Fatalf("Vendors: %v", err)
	}
	r, err := redact.New([]byte("key")).With(list...)
	if err != nil {
		tb.Fatalf("With: %v", err)
	}
	return r
}

func TestVendorsCompile(t *testing.T) {
	list, err := Vendors()
	if err != nil {
		t.Fatalf("Vendors: %v", err)
	}
	for _, rule := range list {
		if e := rule.Compile(); rule.Group > e.Regex.NumSubexp() {
			t.Errorf("rule %s has no group %d", rule.ID, rule.Group)
		}
		if slices.Contains(ours, rule.ID) {
			t.Errorf("rule %s is in the table, want it left out", rule.ID)
		}
	}
	if len(list) < 200 {
		t.Errorf("%d rules, want all of the table", len(list))
	}
}

// BenchmarkStart measures the time that the table costs at a start: reading it, and with that the first text.
func BenchmarkStart(b *testing.B) {
	b.Run("rules", func(b *testing.B) {
		for b.Loop() {
			withVendors(b)
		}
	})
	b.Run("first text", func(b *testing.B) {
		for b.Loop() {
			withVendors(b).Text("one line")
		}
	})
}

func TestVendorsAreFoundWhateverFollowsTheToken(t *testing.T) {
	r := withVendors(t)
	for _, in := range []string{"(%)", "%, and", "<td>%</td>", "a|%|b", `{\"k\":\"%\"}`, "%", "f(%) # gitleaks:allow", "`%`."} {
		token := "facebook_app_secret = " + strings.Repeat("5f2d9c81ab", 3) + "7e"
		in = strings.Replace(in, "%", token, 1)
		if got, _ := r.Text(in); strings.Contains(got, "5f2d9c81ab") {
			t.Errorf("Text(%q) = %q, which still holds the token", in, got)
		}
	}
}

func TestVendorsLeaveNamesOfProgramsAlone(t *testing.T) {
	r := withVendors(t)
	for _, in := range []string{"s.ReadUint16LengthPrefixed(&x) || s.ReadUint24LengthPrefixed(&y)", "void GLC_CreateLightmapTextureArray(void);",
		"the confluence of jira and okta: authentication-and-authorization-guide"} {
		if got, _ := r.Text(in); got != in {
			t.Errorf("Text(%q) = %q, want it unchanged", in, got)
		}
	}
}

// TestVendorsTakeLinearTime runs a text of a megabyte that is nothing but a keyword.
func TestVendorsTakeLinearTime(t *testing.T) {
	r := withVendors(t)
	for _, piece := range []string{"facebook=", "okta ", "sk-", "key token secret "} {
		r.Text(strings.Repeat(piece, (1<<20)/len(piece)))
	}
}

// BenchmarkVendors measures megabytes per second of computing, with the table, of this module's source and documents.
func BenchmarkVendors(b *testing.B) {
	r := withVendors(b)
	text := ordinaryText(b)
	before := computed(b)
	for b.Loop() {
		r.Text(text)
	}
	b.ReportMetric(float64(len(text))*float64(b.N)/1e6/(computed(b)-before).Seconds(), "MB/cpu-s")
	b.ReportMetric(0, "ns/op")
}

// ordinaryText is the source and the documents of this module, eight megabytes of them.
func ordinaryText(tb testing.TB) string {
	var all strings.Builder
	for all.Len() < 8<<20 {
		err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
			if ext := filepath.Ext(path); err != nil || d.IsDir() || strings.Contains(path, "redact") || ext != ".go" && ext != ".md" {
				return err
			}
			text, err := os.ReadFile(path)
			all.Write(text)
			return err
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	return all.String()[:8<<20]
}

// computed returns the time that the process has computed.
func computed(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
