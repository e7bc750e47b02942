package effect

import (
	"context"
	"testing"
)

// TestMakerSamples: the sample of each row makes something, and that alone is its own: the same command on another object is not.
func TestMakerSamples(t *testing.T) {
	ends := func(object string) Effect {
		return Effect{Class: Destroy, Deciding: []Value{{Subject, "delete", ""}, {Subject, object, ""}}}
	}
	for _, m := range makers {
		all, err := Of(context.Background(), run(m.sample))
		if err != nil {
			t.Fatal(err)
		}
		var made []Made
		for _, e := range all {
			made = append(made, e.Makes...)
		}
		if len(made) != 1 {
			t.Errorf("%q makes %v, want one object", m.sample, made)
			continue
		}
		if !ends(made[0].Object).IsOf(made) || ends("other-9").IsOf(made) {
			t.Errorf("%q makes %v: the object of another call is not told from it", m.sample, made)
		}
	}
}

// TestMakes holds calls against the object that they make, none where one may be there already.
func TestMakes(t *testing.T) {
	sql := func(text string) Call { return Call{Tool: "query", Parameters: map[string]any{"sql": text}} }
	for _, c := range []struct {
		call Call
		want string
	}{
		{run("git checkout -b try-1"), "try-1"},
		{run("git checkout main"), ""},
		{run("git branch -f try-1"), ""},
		{run("mkdir -p /srv/try-1"), ""},
		{run("kubectl create -f a.yaml"), ""},
		{run("docker run --rm --name try-1 alpine"), "try-1"},
		{sql("CREATE TABLE try1 (a int)"), "try1"},
		{sql("CREATE OR REPLACE VIEW try1 AS SELECT 1"), ""},
		{sql("CREATE TABLE IF NOT EXISTS try1 (a int)"), ""},
		{Call{Tool: "create_branch", Parameters: map[string]any{"name": "try-1", "from": "main"}}, "try-1"},
		{Call{Tool: "update_branch", Parameters: map[string]any{"name": "try-1"}}, ""},
	} {
		all, err := Of(context.Background(), c.call)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, e := range all {
			for _, m := range e.Makes {
				got += m.Object
			}
		}
		if got != c.want {
			t.Errorf("%v makes %q, want %q", c.call, got, c.want)
		}
	}
}
