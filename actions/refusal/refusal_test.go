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
	h, acts := heard(t, effect.Call{Tool: "bash", Parameters: map[string]any{"command": line}}, said)
	return h.Against(acts, nil)
}

// heard takes in statements, and returns the acts of a call beside.
func heard(t *testing.T, c effect.Call, said []string) (*refusal.Heard, []refusal.Act) {
	t.Helper()
	var h refusal.Heard
	for _, one := range said {
		h.Take(one)
	}
	effects, err := effect.Of(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	acts, err := refusal.Acts(t.Context(), c, effects)
	if err != nil {
		t.Fatal(err)
	}
	return &h, acts
}

// TestExceeded: a call goes further than a sentence that asks for less, and no further than one that asks for it. Statements are parted by a bar.
func TestExceeded(t *testing.T) {
	line := func(text string) effect.Call {
		return effect.Call{Tool: "bash", Parameters: map[string]any{"command": text}}
	}
	tool := func(name string, arguments map[string]any) effect.Call {
		return effect.Call{Tool: name, Operation: "call", Parameters: arguments}
	}
	approve := tool("create_pull_request_review", map[string]any{"event": "APPROVE", "pull_number": 3.0})
	send := tool("send_email", map[string]any{"to": "lena@studio.example", "body": "Yes."})
	link := tool("create_permission", map[string]any{"fileId": "s1", "type": "anyone", "role": "reader"})
	owner := tool("create_permission", map[string]any{"fileId": "s1", "emailAddress": "bo@a.example", "role": "owner"})
	for _, c := range []struct {
		said string
		call effect.Call
		want bool
	}{
		{"Review PR 3.", line("gh pr merge 3"), true},
		{"Review PR 3.", line("gh pr view 3"), false},
		{"Have a look at merge request 3.", line("glab mr merge 3"), true},
		{"Have a look at merge request 3 and land it.", line("glab mr merge 3"), false},
		{"Review PR 3.|OK, merge it.", line("gh pr merge 3"), false},
		{"Review PR 3.|Go ahead.", line("gh pr merge 3"), false},
		{"Review PR 3.", approve, true},
		{"Review and approve PR 3.", approve, false},
		{"Fix the bug and open a PR.", line("git checkout main && git merge fix"), false},
		{"Draft a reply to Lena.", send, true},
		{"Draft a reply to Lena.", tool("create_draft", send.Parameters), false},
		{"Draft a reply to Lena and send it.", send, false},
		{"Draft a short reply to Lena, then send it to her.", send, false},
		{"Close the stale issues.", line("gh issue delete 3"), true},
		{"Close the stale issues.", line("gh issue close 3"), false},
		{"Label the issues.", tool("update_issue", map[string]any{"number": 3.0, "state": "closed"}), true},
		{"Label the issues, and close the duplicates.", tool("update_issue", map[string]any{"number": 3.0, "state": "closed"}), false},
		{"Stop the instance i-1.", line("aws ec2 terminate-instances --instance-ids i-1"), true},
		{"Stop the instance i-1.", line("aws ec2 stop-instances --instance-ids i-1"), false},
		{"Share the sheet with Bo.", link, true},
		{"Share the sheet with anyone who has the link.", link, false},
		{"Share the sheet with Bo.", owner, true},
		{"Make Bo the owner of the sheet.", owner, false},
		{"Draft a post.", tool("wp_create_post", map[string]any{"title": "x", "status": "publish"}), true},
		{"Draft a post.", tool("wp_create_post", map[string]any{"title": "x", "status": "draft"}), false},
		{"Read the lease.", tool("sign_envelope", map[string]any{"id": "e1"}), true},
		{"Read the lease.", tool("sign_in", map[string]any{"user": "ann"}), false},
	} {
		h, acts := heard(t, c.call, strings.Split(c.said, "|"))
		if got := h.Exceeded(acts); (got != "") != c.want {
			t.Errorf("after %q, %s %v goes further than %q, want %v", c.said, c.call.Tool, c.call.Parameters, got, c.want)
		}
	}
}

// TestAstray: a message goes to another person than the named one, or nobody can tell. One listing has Bo and Zoe, each in a record.
func TestAstray(t *testing.T) {
	listing := map[string]string{"bo@a.example": "bo", "+15551": "bo", "zoe@b.example": "zoe", "+15552": "zoe"}
	records := func(value, name string) (of, near, seen bool) {
		owner, seen := listing[value]
		return seen && owner == name, seen && (name == "bo" || name == "zoe"), seen
	}
	for _, c := range []struct {
		said  string
		event bool
		to    []string
		want  bool
	}{
		{"Send the offer to Bo.", false, []string{"bo@a.example"}, false},
		{"Send the offer to Bo.", false, []string{"zoe@b.example"}, true},
		{"Send the offer to Bo.", false, []string{"bo@a.example", "zoe@b.example"}, true},
		{"Send the offer to Bo.", false, []string{"made@up.example"}, true},
		{"Send the offer to Bo.", false, []string{"U77"}, false},
		{"Text Bo that I am late.", false, []string{"+15552"}, true},
		{"Send the offer to Bo and Zoe.", false, []string{"zoe@b.example"}, false},
		{"Send the offer to Bo and the board.", false, []string{"zoe@b.example"}, false},
		{"Send the offer to Bo. Zoe gets it, too.", false, []string{"zoe@b.example"}, false},
		{"Send the offer to the landlords.", false, []string{"zoe@b.example"}, false},
		{"Send the offer.", false, []string{"zoe@b.example"}, false},
		{"Send the offer to Bo's team.", false, []string{"zoe@b.example"}, false},
		{"Reply to Bo's mail.", false, []string{"zoe@b.example"}, true},
		{"Send the offer to Bo and book a table.", false, []string{"zoe@b.example"}, false},
		{"Tell me when Bo writes.", false, []string{"zoe@b.example"}, false},
		{"Tell Bo that I am late.|Tell them as well.", false, []string{"zoe@b.example"}, false},
		{"Invite Bo to the review.", true, []string{"zoe@b.example"}, true},
		{"Invite Bo to the review.", true, []string{"bo@a.example", "me@c.example"}, false},
		{"Post it to #ops.", false, []string{"#general"}, true},
		{"Post it to #ops.", false, []string{"ops"}, false},
		{"Post it to Slack.", false, []string{"#general"}, false},
	} {
		var h refusal.Heard
		for _, one := range strings.Split(c.said, "|") {
			h.Take(one)
		}
		if got := h.Astray(c.to, c.event, records); (got != "") != c.want {
			t.Errorf("after %q, a message to %v goes against %q, want %v", c.said, c.to, got, c.want)
		}
	}
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
