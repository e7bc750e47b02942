package tools

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// taskIsThere: the caller finds the task, at that version.
func (p *prompt) taskIsThere(m []string) error {
	out, err := p.task(m[1])
	if err == nil && out.Version != number(m[2]) {
		err = fmt.Errorf("it is at version %d", out.Version)
	}
	return err
}

func (p *prompt) task(id string) (out getTaskOut, err error) {
	_, raw, err := p.services.Call(p.t.Context(), "get_task_state", map[string]any{"task_id": id})
	if err == nil {
		err = json.Unmarshal(raw, &out)
	}
	return out, err
}

// taskProduced: so many artifacts follow, and the summary is the task's.
func (p *prompt) taskProduced(m []string) error {
	listed := 0
	for _, l := range p.lines[p.at+1:] {
		if !strings.HasPrefix(l, "  [") {
			break
		}
		listed++
	}
	if listed != number(m[2]) || listed != len(p.puts[m[1]]) {
		return fmt.Errorf("%d are listed, %d were put", listed, len(p.puts[m[1]]))
	}
	if m[3] != "" && !slices.Contains(p.all, m[3]) {
		return fmt.Errorf("nobody has said so")
	}
	return nil
}

// artifactOfTask: the caller reads the artifact, which has that size and those keys.
func (p *prompt) artifactOfTask(m []string) error {
	text, err := p.held(m[5])
	if err != nil {
		return err
	}
	if size := fmt.Sprintf("%.1f", float64(len(text))/1024); size != m[3] {
		return fmt.Errorf("it has %s KB", size)
	}
	for _, key := range strings.Split(m[4], ", ") {
		if key != "" && !strings.Contains(text, `"`+key+`"`) && !strings.Contains(text, key) {
			return fmt.Errorf("it has no key %q: %s", key, text)
		}
	}
	if m[2] != "" && !slices.Contains(p.all, m[2]) {
		return fmt.Errorf("nobody has said %q of it", m[2])
	}
	return nil
}

func (p *prompt) parentOf(m []string) error {
	if len(p.puts[m[1]]) == 0 {
		return fmt.Errorf("there is no such task with artifacts")
	}
	return nil
}

func (p *prompt) metadataOf(m []string) error {
	for _, text := range p.all {
		if text == m[1] {
			return nil
		}
	}
	return fmt.Errorf("no task has this metadata")
}

func (p *prompt) tasksSaved(m []string) error {
	if number(m[1]) != p.saved {
		return fmt.Errorf("%d were saved", p.saved)
	}
	return nil
}

func (p *prompt) taskSaved(m []string) error {
	if err := p.taskIsThere(m); err != nil {
		return err
	}
	if said := strings.TrimSuffix(m[4], "…"); !slices.ContainsFunc(p.all, func(s string) bool { return strings.HasPrefix(s, said) }) {
		return fmt.Errorf("nobody has said %q of it", said)
	}
	return nil
}

func (p *prompt) tasksMore(m []string) error {
	listed := 0
	for _, l := range p.lines[:p.at] {
		if strings.Contains(l, ", version ") {
			listed++
		}
	}
	if number(m[1]) != p.saved-listed {
		return fmt.Errorf("%d of %d are listed", listed, p.saved)
	}
	return nil
}

// fieldUnknown: no source has the name.
func (p *prompt) fieldUnknown(m []string) error {
	for _, s := range p.all {
		if strings.Contains(letters(s), letters(m[1])) && !p.otherTask(s) {
			return fmt.Errorf("a source names it: %q", s[:min(len(s), 200)])
		}
	}
	return nil
}

// fieldNamed: a source has the name, and what is to be read stands in the prompt, or is kept where it says.
func (p *prompt) fieldNamed(m []string) error {
	if strings.Contains(letters(p.whole), letters(m[1])+letters("named in")) && strings.Count(letters(p.whole), letters(m[1])) > 1 {
		return nil
	}
	for _, found := range anyArtifact.FindAllStringSubmatch(p.whole, -1) {
		if text, err := p.held(found[1]); err == nil && strings.Contains(letters(text), letters(m[1])) {
			return nil
		}
	}
	if strings.Contains(p.whole, "get_task_state has its state") {
		return nil
	}
	return fmt.Errorf("it stands neither here nor in an artifact that is named here")
}

var anyArtifact = regexp.MustCompile(`(?:artifact_id[= ]|ref: )([A-Za-z0-9_.-]+)`)

// fieldNowhere: the prompt names it in no other line.
func (p *prompt) fieldNowhere(m []string) error {
	for i, l := range p.lines {
		if i != p.at && strings.Contains(letters(l), letters(m[1])) {
			return fmt.Errorf("line %d names it: %q", i, l)
		}
	}
	return nil
}

// fieldTooLong: the call that is named returns it.
func (p *prompt) fieldTooLong(m []string) error {
	_, raw, err := p.services.Call(p.t.Context(), "declare_fields", map[string]any{"task_id": p.taskID, "fields": []string{m[1]}, "max_tokens": largest(m[2])})
	if err != nil {
		return err
	}
	var out declareOut
	if err := json.Unmarshal(raw, &out); err != nil {
		return err
	}
	if out.Fields[m[1]].Value == nil {
		return fmt.Errorf("declare_fields omits %q", out.Omitted)
	}
	return nil
}

// largest returns the max_tokens of a call that a text names: 2000 where it asks for no higher one.
func largest(text string) int {
	if strings.HasSuffix(text, "with a higher max_tokens") {
		return 1_000_000
	}
	return 2000
}

// fieldHolds: a source has the value.
func (p *prompt) fieldHolds(m []string) error {
	value := strings.Trim(m[2], `"`)
	if !slices.ContainsFunc(p.all, func(s string) bool { return strings.Contains(s, value) && strings.Contains(letters(s), letters(m[1])) }) {
		return fmt.Errorf("no source has the value under the name")
	}
	return nil
}

func (p *prompt) base64Of(m []string) error {
	if !slices.ContainsFunc(p.all, func(s string) bool {
		joined := strings.Join(strings.Fields(s), "")
		raw, err := base64.StdEncoding.DecodeString(joined)
		return err == nil && len(raw) == number(m[1]) && strings.HasPrefix(joined, m[2])
	}) {
		return fmt.Errorf("no result is so long, and begins so")
	}
	if m[3] != "" {
		return p.wholeOf(m[2:])
	}
	return nil
}

func (p *prompt) binaryOf(m []string) error {
	for _, raw := range p.binaries {
		if digestOfBytes(raw) == m[3] && len(raw) == number(m[2]) {
			return nil
		}
	}
	return fmt.Errorf("no result has these bytes")
}

func (p *prompt) hasBinary([]string) error {
	if len(p.binaries) == 0 {
		return fmt.Errorf("no result has an image")
	}
	return nil
}

func (p *prompt) noBase64(m []string) error {
	if number(m[2]) != len(brokenBase64) {
		return fmt.Errorf("it has %d", len(brokenBase64))
	}
	return nil
}

func (p *prompt) labelOf(m []string) error {
	if !slices.Contains(p.labels, m[1]) {
		return fmt.Errorf("no result has a part %q, but %q", m[1], p.labels)
	}
	return nil
}

var (
	leftOfTree = regexp.MustCompile(`^(?:… )?(\d+) of (\d+) left out \((\$.*)\[(\d+):(\d+)\]\)$`)
	someOfTree = regexp.MustCompile(`^(?:… )?(\d+) (?:of (\d+) )?left out$`) // of one part of several, where no path leads
	deepOfTree = regexp.MustCompile(`^(?:… )?(\d+) left out \((\$.*)\)$`)
	memberOut  = regexp.MustCompile(`^(\d+) of (\d+) members$`)
	treeWhole  = regexp.MustCompile(`get_artifact artifact_id=(\S+) \(lines, pattern, path\)`)
)

// treeTells: each path that stands for what is left out of JSON leads there, and to as much as is said.
func (p *prompt) treeTells(m []string) error {
	var v any
	if err := json.Unmarshal([]byte(m[0]), &v); err != nil {
		return fmt.Errorf("it is no JSON: %w", err)
	}
	id := ""
	if found := treeWhole.FindStringSubmatch(m[0]); found != nil {
		id = found[1]
		if _, err := p.heldResult(id); err != nil {
			return err
		}
	} else if below := p.wholeBelow(); below != "" {
		id = below
	}
	return p.treeNotes(v, id)
}

func (p *prompt) treeNotes(v any, id string) error {
	var notes []string
	collect(v, &notes)
	for _, note := range notes {
		path, want := "", 0
		if m := leftOfTree.FindStringSubmatch(note); m != nil {
			if path, want = fmt.Sprintf("%s[%s:%s]", m[3], m[4], m[5]), number(m[1]); want != number(m[5])-number(m[4]) || want > number(m[2]) {
				return fmt.Errorf("%q does not add up", note)
			}
		} else if m := deepOfTree.FindStringSubmatch(note); m != nil {
			path, want = m[2], number(m[1])
		} else if m := someOfTree.FindStringSubmatch(note); m != nil && p.parts && (m[2] == "" || number(m[1]) <= number(m[2])) {
			continue
		} else if m := memberOut.FindStringSubmatch(note); m != nil && number(m[1]) <= number(m[2]) || note == "all" {
			continue
		} else {
			return fmt.Errorf("%q has no known form", note)
		}
		if id == "" {
			continue
		}
		_, raw, err := p.services.Call(p.t.Context(), "get_artifact", map[string]any{"artifact_id": id, "path": path, "max_tokens": 1_000_000})
		if err != nil {
			return fmt.Errorf("%q: get_artifact: %w", note, err)
		}
		var out getArtifactOut
		if err := json.Unmarshal(raw, &out); err != nil {
			return err
		}
		if n := countOf(out.Content); n != want && !(want == 1 && n != 0) {
			return fmt.Errorf("%q: the path leads to %d", note, n)
		}
	}
	return nil
}

// countOf returns how many members or elements a text has that a path has led to: a value, or one on each line.
func countOf(text string) int {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return linesIn(text)
	}
	switch v := v.(type) {
	case []any:
		return len(v)
	case map[string]any:
		return len(v)
	}
	return 1
}

// collect returns the notes of what is left out of a tree.
func collect(v any, notes *[]string) {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			if note, is := inner.(string); is && key == "_left_out" {
				*notes = append(*notes, note)
				continue
			}
			collect(inner, notes)
		}
	case []any:
		for _, inner := range v {
			collect(inner, notes)
		}
	case string:
		if strings.HasPrefix(v, "… ") && strings.Contains(v, " left out") {
			*notes = append(*notes, v)
		}
	}
}

// digestOfBytes returns the beginning of a digest as a note has it.
func digestOfBytes(raw []byte) string {
	digest := sha256.Sum256(raw)
	return fmt.Sprintf("%x", digest[:6])
}
