package effect

import (
	"strings"
	"testing"
)

// TestHooks: the sample of each file is a command that its package manager runs by itself; one that fetches nothing, another key and another file are none.
func TestHooks(t *testing.T) {
	for _, row := range RowsOf(hookRows, 3) {
		write := func(path, content string) Class {
			return classes(t, Call{Tool: "write_file", Parameters: map[string]any{"path": path, "content": "{\"scripts\": {\n  " + content + "\n}}"}})[0]
		}
		calm := strings.NewReplacer("curl", "echo", "wget", "echo").Replace(row[2])
		key, _, _ := strings.Cut(row[2], ":")
		for _, test := range []struct {
			path, content string
			want          Class
		}{
			{row[0], row[2], Persist},
			{"app/" + row[0], row[2], Persist},
			{row[0], calm, Local},
			{row[0], strings.Replace(row[2], key, `"notes"`, 1), Local},
			{"notes.json", row[2], Local},
		} {
			if got := write(test.path, test.content); got != test.want {
				t.Errorf("%s with %s is %s, want %s", test.path, test.content, got, test.want)
			}
		}
		edit := Call{Tool: "edit_file", Parameters: map[string]any{"path": row[0], "old_string": row[2], "new_string": calm}}
		if got := classes(t, edit)[0]; got != Local {
			t.Errorf("to take a hook out of %s is %s, want %s", row[0], got, Local)
		}
	}
}
