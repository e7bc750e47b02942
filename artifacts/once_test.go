package artifacts_test

import (
	"context"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
)

// TestKeepOnce: the same content is one artifact in one place, under an id that is known beforehand, and another one elsewhere.
func TestKeepOnce(t *testing.T) {
	f := newFixture(t)
	ctx, d := context.Background(), artifacts.Draft{Content: "one\ntwo\n", Type: "history", Tool: "history"}
	first, err := f.KeepOnce(ctx, ann, here, d, artifacts.Original{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := f.KeepOnce(ctx, ann, here, d, artifacts.Original{})
	if err != nil || again.ID != first.ID || first.ID != artifacts.OnceID(ann, here, d) {
		t.Errorf("KeepOnce again = %s, %v, want %s", again.ID, err, first.ID)
	}
	elsewhere := here
	elsewhere.Session = "another"
	other, err := f.KeepOnce(ctx, ann, elsewhere, d, artifacts.Original{})
	if err != nil || other.ID == first.ID {
		t.Errorf("KeepOnce elsewhere = %s, %v, want another id", other.ID, err)
	}
	text, err := f.Text(ctx, ann, here, first.ID)
	if err != nil || text != d.Content {
		t.Errorf("Text = %q, %v", text, err)
	}
	if _, err := f.Text(ctx, ann, here, other.ID); ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
		t.Errorf("Text from another session = %v, want not_found", err)
	}
}
