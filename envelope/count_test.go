package envelope

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/language"
)

// TestCountsAreSaid: a question for a number is answered with that of all matches, however few of them are shown.
func TestCountsAreSaid(t *testing.T) {
	rows := "id,country,state\n" + repeated(30, "1%,FR,open\n") + repeated(25, "2%,DE,open\n") + repeated(20, "3%,FR,shut\n") + repeated(40, "4%,SE,shut\n")
	for question, want := range map[string]string{
		"How many orders are from FR?":      `… 50 of 115 lines below the head have "FR"`,
		"How many open orders are from FR?": `… 30 of 115 lines below the head have "open" and "FR"`,
		"How many orders are not open?":     `… 60 of 115 lines below the head do not have "open"`,
		"Which orders are from FR?":         "",
		"How many orders are from Peru?":    "",
	} {
		s, _ := service()
		out := wrap(t, s, Result{Value: quoted(rows), MaxTokens: 150, Question: question})
		if got := strings.Contains(out.Content, "\n"+want+"\n"); want != "" && !got {
			t.Errorf("%s: %q is not in\n%s", question, want, out.Content)
		}
		if want == "" && strings.Contains(out.Content, " below the head ") {
			t.Errorf("%s: a count in\n%s", question, out.Content)
		}
	}
}

// TestFieldsAreCounted: a question for a number that names a field of records, or what denies it, is answered with the number of each of its values.
func TestFieldsAreCounted(t *testing.T) {
	var rows []string
	for i := range 60 {
		rows = append(rows, fmt.Sprintf(`{"id":%d,"name":"user%d","active":%v,"plan":%q,"note":"n%d"}`, i, i, i%5 != 0, []string{"free", "pro"}[i%2], i))
	}
	for question, want := range map[string]string{
		"How many users are inactive?":                `12 of 60 elements of $ have "active": false, 48 of 60 elements of $ have "active": true`,
		"How many users have a pro plan?":             `30 of 60 elements of $ have "pro"`,
		"Which users are inactive?":                   "",
		"How many notes do the users have?":           "",
		"How many users are on holiday in the Azores": "",
	} {
		s, _ := service()
		source := "[" + strings.Join(rows, ",") + "]"
		out := wrap(t, s, Result{Value: quoted(source), MaxTokens: 200, Question: question})
		var shown any
		if err := json.Unmarshal([]byte(out.Content[strings.Index(out.Content, "\n")+1:strings.LastIndex(out.Content, "\n[end of")]), &shown); err != nil {
			t.Fatal(err, out.Content)
		}
		said, _ := countIn(shown)
		if said != want {
			t.Errorf("%s: %q, want %q", question, said, want)
		}
		if said != "" {
			if err := trueOfCount(said, rows); err != nil {
				t.Error(err)
			}
		}
	}
}

var countSaid = regexp.MustCompile(`^(?:… )?(\d+) of (\d+) ((?:lines|parts|records|elements of \$\S*|elements of \$\[.*?\])(?: below the head| with text)?) (have|do not have) (".*"|".*": (?:true|false|null|"[^"]*"))$`)

// countIn returns the sentence on a count in a tree, with the path of the list whose elements are counted.
func countIn(out any) (said, path string) {
	object, isObject := out.(map[string]any)
	if list, isList := out.([]any); isList && len(list) > 0 {
		object, isObject = list[len(list)-1].(map[string]any)
	}
	if !isObject {
		return "", ""
	}
	said, _ = object[countedAs].(string)
	if m := countSaid.FindStringSubmatch(said); m != nil {
		path = strings.TrimPrefix(m[3], "elements of ")
	}
	return said, path
}

// elementsAt returns the elements of the list at a path, as JSON.
func elementsAt(src any, path string) (list []string) {
	switch v := src.(type) {
	case []any:
		if path == "$" {
			for _, e := range v {
				raw, _ := json.Marshal(e)
				list = append(list, string(raw))
			}
		}
	case map[string]any:
		for key, value := range v {
			if rest, within := strings.CutPrefix(path, "$"+memberPath(key)); within && (rest == "" || rest[0] == '.' || rest[0] == '[') {
				list = append(list, elementsAt(value, "$"+rest)...)
			}
		}
	}
	return list
}

// trueOfCount counts the texts that have the words, or have them not, of which a sentence tells. The lines that name columns are not counted
// where it says so.
func trueOfCount(said string, texts []string) error {
	for _, part := range strings.Split(said, ", ") {
		m := countSaid.FindStringSubmatch(part)
		if m == nil {
			return fmt.Errorf("no count: %q", part)
		}
		of, count := 0, 0
		for i, text := range texts {
			if strings.HasSuffix(m[3], " below the head") && i == 0 || strings.TrimSpace(text) == "" {
				continue
			}
			of++
			if strings.Contains(m[5], `": `) { // a field with its value
				var fields map[string]json.RawMessage
				name, value, _ := strings.Cut(m[5], ": ")
				if err := json.Unmarshal([]byte(text), &fields); err != nil {
					return err
				}
				if string(fields[strings.Trim(name, `"`)]) == value {
					count++
				}
				continue
			}
			all := true
			for _, word := range strings.Split(m[5], " and ") {
				found := false
				eachWord(text, func(form []byte, _ int) bool {
					found = found || language.Term(string(form)) == language.Term(strings.ToLower(strings.Trim(word, `"`)))
					return !found
				})
				all = all && found
			}
			if all == (m[4] == "have") {
				count++
			}
		}
		if count != number(m[1]) || of != number(m[2]) {
			return fmt.Errorf("%d of %d, and it says %q", count, of, part)
		}
	}
	return nil
}
