package refusal_test

import (
	"context"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/actions/effect"
	"github.com/ctx-mcp/ctx-mcp/actions/refusal"
)

// against returns the sentence that a command line goes against after the statements.
func against(t *testing.T, line string, said ...string) string {
	t.Helper()
	var h refusal.Heard
	for _, one := range said {
		h.Take(one)
	}
	c := effect.Call{Tool: "bash", Parameters: map[string]any{"command": line}}
	effects, err := effect.Of(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	acts, err := refusal.Acts(t.Context(), c, effects)
	if err != nil {
		t.Fatal(err)
	}
	return h.Against(acts, nil)
}

// TestAgainst: a command line goes against the sentence that refuses it, and against no other. Statements are parted by a bar.
func TestAgainst(t *testing.T) {
	for _, c := range []struct{ said, line, want string }{
		{"Fix it. Do not delete the migrations.", "rm -rf migrations", "Do not delete the migrations."},
		{"Fix it. Do not delete the migrations.", "sudo rm -rf db/migrations && ls", "Do not delete the migrations."},
		{"Fix it. Do not delete the migrations.", "ls migrations; rm -rf node_modules", ""},
		{"Never push to main.", "git checkout main && git merge fix && git push", "Never push to main."},
		{"Never push to main.", "git push origin fix-main-menu", ""},
		{"Never push to main.|Now push to main.", "git push origin main", ""},
		{"Under no circumstances deploy to prod.", "ssh web1 ./deploy.sh production", "Under no circumstances deploy to prod."},
		{"Do not push until the tests pass.", "git push", ""},
		{"Do not push until I say so.", "git push", "Do not push until I say so."},
		{"If they are late, do not send a reminder.", "git push", ""},
		{"The build doesn't push the image.", "docker push registry.example/app", ""},
		{"Don't commit, push or deploy.", "git push", "Don't commit, push or deploy."},
		{"Never touch the vendor folder.", "cd vendor/lib && sed -i s/a/b/ a.go", "Never touch the vendor folder."},
		{"Change nothing.", "python3 profile.py > /tmp/out.txt", ""},
		{"Change nothing.", "echo x > notes.go", "Change nothing."},
		{"Do not spend more than 100 dollars.", "git push", ""},
		{"Deploy to staging only.", "kubectl --context prod apply -f k8s", "Deploy to staging only."},
		{"Deploy to staging only.", "kubectl --context staging apply -f k8s", ""},
		{"Ship it to staging, production stays as it is.", "kubectl --context production apply -f k8s", "Ship it to staging, production stays as it is."},
		{"Ship it to staging, production stays as it is.", "kubectl --context staging apply -f k8s", ""},
	} {
		if got := against(t, c.line, strings.Split(c.said, "|")...); got != c.want {
			t.Errorf("after %q, %q goes against %q, want %q", c.said, c.line, got, c.want)
		}
	}
}

// TestActsEnd: the acts of a call are read only while the context lasts.
func TestActsEnd(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := refusal.Acts(ctx, effect.Call{Tool: "bash", Parameters: map[string]any{"command": "rm a"}}, nil); err == nil {
		t.Error("no error after the context has ended")
	}
}
