package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ctx-mcp/ctx-mcp/eval/labelled"
)

// leastTokens is the least that a conversation with conclusions is reduced to: below it a system prompt alone may be more.
const leastTokens = 2000

// readConclusions returns the conversations of a folder of labelled conclusions, with the places where they are cut: two of three by the name
// of the file, or the third ones that are held back. A conversation lies beside its labels or among the transcripts.
func readConclusions(dir, transcripts string, blind bool) ([]session, error) {
	paths, err := labelled.ConclusionFiles(dir, blind)
	if err != nil {
		return nil, err
	}
	var all []session
	for _, path := range paths {
		var of struct {
			Transcript string
			session
		}
		raw, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(raw, &of)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		of.ID, of.Least = of.Transcript, leastTokens
		of.Messages, err = labelled.Read[json.RawMessage](filepath.Join(dir, of.ID+".jsonl"))
		if errors.Is(err, fs.ErrNotExist) {
			of.Messages, err = labelled.Read[json.RawMessage](filepath.Join(transcripts, of.ID+".jsonl"))
		}
		if err != nil {
			return nil, err
		}
		all = append(all, of.session)
	}
	return all, nil
}
