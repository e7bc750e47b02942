package memory_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
)

// TestHistoryByPartOfName: a part of a name, in any case, is enough where one entity bears it; where several do, their names are offered.
func TestHistoryByPartOfName(t *testing.T) {
	store := stores["sqlite"](t)
	s, _ := newService(store)
	s.Entities = store.(entities.Registry)
	scope := ctxmcp.Scope{User: ann.User, Project: "near"}
	for _, text := range []string{"My friend Samantha Ortiz lives in Oslo.", "My sister Anna Berg is a nurse.", "My boss Anna Holm likes golf."} {
		remember(t, s, ann, memory.Draft{Content: text, Source: memory.Source{Kind: ctxmcp.UserStatement}, Scope: scope})
	}
	got, err := s.History(t.Context(), ann, memory.HistoryAsk{Entity: "samantha", Scope: scope})
	if err != nil || len(got) != 1 || !strings.Contains(got[0].Content, "Oslo") {
		t.Errorf("History(samantha) = %v, %v, want the statement about Samantha Ortiz", got, err)
	}
	_, err = s.History(t.Context(), ann, memory.HistoryAsk{Entity: "anna", Scope: scope})
	var named *ctxmcp.Error
	if !errors.As(err, &named) || named.Code != ctxmcp.CodeNotFound || !strings.Contains(named.Hint, "Anna Berg") || !strings.Contains(named.Hint, "Anna Holm") {
		t.Errorf("History(anna) = %v, want the names of both", err)
	}
}
