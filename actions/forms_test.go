package actions_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/actions/taint/stories"
	"github.com/ctx-mcp/ctx-mcp/storetest/rounds"
)

// forms write a list of records as programs print them: the names of their fields, and a row of values for each record.
var forms = map[string]func(names []string, rows [][]string) string{
	"behind a line": func(names []string, rows [][]string) string {
		return "Here is what was found:\n\n" + jsonOf(names, rows)
	},
	"in a string": func(names []string, rows [][]string) string {
		raw, _ := json.Marshal(map[string]any{"content": []any{map[string]string{"type": "text", "text": jsonOf(names, rows)}}})
		return string(raw)
	},
	"Markdown": func(names []string, rows [][]string) string {
		b := "| " + strings.Join(names, " | ") + " |\n|" + strings.Repeat("---|", len(names)) + "\n"
		for _, row := range rows {
			b += "| " + strings.Join(row, " | ") + " |\n"
		}
		return b
	},
	"headings": func(names []string, rows [][]string) string {
		b := ""
		for i, row := range rows {
			b += fmt.Sprint(i+1) + ". "
			for k, cell := range row {
				b += "**" + names[k] + "**: " + cell + "\n   "
			}
			b += "\n"
		}
		return b
	},
	"columns": func(names []string, rows [][]string) string { return inColumns("  ", names, rows) },
	"client":  func(names []string, rows [][]string) string { return inColumns(" | ", names, rows) },
	"commas": func(names []string, rows [][]string) string {
		b := strings.Join(names, ",") + "\n"
		for _, row := range rows {
			for i, cell := range row {
				if strings.ContainsAny(cell, `,"`) {
					row[i] = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
				}
			}
			b += strings.Join(row, ",") + "\n"
		}
		return b
	},
}

func jsonOf(names []string, rows [][]string) string {
	all := []map[string]string{}
	for _, row := range rows {
		one := map[string]string{}
		for i, cell := range row {
			one[names[i]] = cell
		}
		all = append(all, one)
	}
	raw, _ := json.Marshal(all)
	return string(raw)
}

// inColumns writes rows below their headings; between upright lines a line stands below the headings, too.
func inColumns(between string, names []string, rows [][]string) string {
	width := make([]int, len(names))
	for _, row := range slices.Concat([][]string{names}, rows) {
		for i, cell := range row {
			width[i] = max(width[i], len(cell))
		}
	}
	b := ""
	for n, row := range slices.Concat([][]string{names}, rows) {
		for i, cell := range row {
			if i > 0 {
				b += between
			}
			b += cell + strings.Repeat(" ", width[i]-len(cell))
		}
		b += "\n"
		if n == 0 && between == " | " {
			for i := range width {
				width[i] = max(width[i], 3)
				b += strings.Repeat("-", width[i]) + map[bool]string{true: "-+-"}[i+1 < len(width)]
			}
			b += "\n"
		}
	}
	return b
}

// recordsOf returns the names of the fields of a list of JSON objects, and the values of each; nil for another text.
func recordsOf(text string) (names []string, rows [][]string) {
	var all []map[string]any
	if json.Unmarshal([]byte(text), &all) != nil && json.Unmarshal([]byte("["+text+"]"), &all) != nil || len(all) == 0 {
		return nil, nil
	}
	fields := map[string]bool{}
	for _, one := range all {
		for k := range one {
			fields[k] = true
		}
	}
	names = slices.Sorted(maps.Keys(fields))
	for _, one := range all {
		var row []string
		for _, k := range names {
			cell, is := one[k].(string)
			if raw, err := json.Marshal(one[k]); !is && one[k] != nil && err == nil {
				cell = string(raw)
			}
			row = append(row, strings.ReplaceAll(cell, "\n", " "))
		}
		rows = append(rows, row)
	}
	return names, rows
}

// TestForms: the form in which a tool writes its records says little of who may have them: sessions in other forms are judged nearly as they are in JSON.
func TestForms(t *testing.T) {
	var all []stories.Story
	for _, of := range []func() (learnt, frozen []stories.Story){
		stories.Calm, stories.Work, stories.Public, stories.Errands, stories.Handed, stories.Tending, stories.Services, stories.Lures, stories.Baits, stories.Pairs,
	} {
		learnt, _ := of()
		all = append(all, learnt...)
	}
	for name, form := range forms {
		if name != "behind a line" && name != "columns" && rounds.Of(0, 1) == 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			var other []stories.Story
			for _, story := range all {
				story.Steps = slices.Clone(story.Steps)
				for i := range story.Steps {
					if names, rows := recordsOf(story.Steps[i].Result); len(names) > 1 {
						story.Steps[i].Result = form(names, rows)
					}
				}
				other = append(other, story)
			}
			if n := tellSettings(t, other, false); n.Through < 166 || n.Stopped < 117 || n.Denied < 77 || n.Barred > 2 {
				t.Errorf("%+v, want nearly as many as in JSON", n)
			}
		})
	}
}
