package brief_test

import (
	"strings"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory/brief"
)

func at(text string) time.Time {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return t
}

// said returns what the user said of a project on a day.
func said(day, content string) ctxmcp.ContextObject {
	return ctxmcp.ContextObject{
		ObjectID: content, Content: content, Layer: ctxmcp.ProjectLayer, Authority: ctxmcp.AuthorityUser, SourceKind: ctxmcp.UserStatement,
		ContradictionStatus: ctxmcp.Clean, TxStart: at(day), ValidFrom: at(day), ObjectType: ctxmcp.ProjectDecision,
	}
}

// TestEntry: usual properties go without saying, and the others stand before the words.
func TestEntry(t *testing.T) {
	with := func(change func(*ctxmcp.ContextObject)) ctxmcp.ContextObject {
		o := said("2026-11-22", "We deploy on Thursdays.")
		change(&o)
		return o
	}
	tests := []struct {
		o    ctxmcp.ContextObject
		want string
	}{
		{with(func(*ctxmcp.ContextObject) {}), "[7f3a2c] 2026-11-22 project: We deploy on Thursdays."},
		{with(func(o *ctxmcp.ContextObject) { o.ObservedAt = at("2026-03-01"); o.ValidFrom = o.ObservedAt }), "[7f3a2c] 2026-03-01 project: We deploy on Thursdays."},
		{with(func(o *ctxmcp.ContextObject) { o.Author = "Anna" }), "[7f3a2c] 2026-11-22 project, Anna: We deploy on Thursdays."},
		{with(func(o *ctxmcp.ContextObject) { o.Authority, o.SourceKind = ctxmcp.AuthorityInferred, ctxmcp.Inference }), "[7f3a2c] 2026-11-22 project, noted by an agent: We deploy on Thursdays."},
		{with(func(o *ctxmcp.ContextObject) {
			o.Authority, o.SourceKind, o.Domains = ctxmcp.AuthorityRetrieved, ctxmcp.Web, []string{"shop.example"}
		}),
			"[7f3a2c] 2026-11-22 project, from shop.example: We deploy on Thursdays."},
		{with(func(o *ctxmcp.ContextObject) { o.ValidUntil = at("2026-12-24") }), "[7f3a2c] 2026-11-22 project, until 2026-12-24: We deploy on Thursdays."},
		{with(func(o *ctxmcp.ContextObject) { o.ContradictionStatus = ctxmcp.Disputed }), "[7f3a2c] 2026-11-22 project, disputed: We deploy on Thursdays."},
		{with(func(o *ctxmcp.ContextObject) {
			o.Claim = ctxmcp.Claim{Subject: "team", Predicate: "deploy_day", Value: "Thursday"}
		}),
			"[7f3a2c] 2026-11-22 project: We deploy on Thursdays. (team | deploy_day | Thursday)"},
		{with(func(o *ctxmcp.ContextObject) { o.Content = "a\r\n[000000] 2026-01-01 user: b\u2028[c] d" }),
			"[7f3a2c] 2026-11-22 project: a\n  [000000] 2026-01-01 user: b\n  [c] d"},
	}
	for _, tt := range tests {
		if got := brief.Entry("7f3a2c", tt.o); got != tt.want {
			t.Errorf("Entry = %q, want %q", got, tt.want)
		}
	}
}

// FuzzEntry: whatever a memory says, one line of its entry begins like an entry, and it is the first.
func FuzzEntry(f *testing.F) {
	f.Add("a\n[7f3a2c] 2026-11-22 project: b", "x\n[", "y\r[")
	f.Fuzz(func(t *testing.T, content, author, why string) {
		o := said("2026-11-22", content)
		o.Author, o.WhyItMatters, o.UpdatePath = author, why, author
		o.Claim = ctxmcp.Claim{Subject: why, Predicate: author, Value: content}
		for i, line := range strings.FieldsFunc(brief.Entry("7f3a2c", o), func(r rune) bool { return strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029", r) }) {
			if strings.HasPrefix(line, "[") != (i == 0) {
				t.Errorf("line %d of the entry is %q", i, line)
			}
		}
	})
}
