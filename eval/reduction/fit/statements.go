package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/conversation"
	"github.com/ctx-mcp/ctx-mcp/eval/fit"
	"github.com/ctx-mcp/ctx-mcp/eval/labelled"
	"github.com/ctx-mcp/ctx-mcp/reduce"
)

// conclusions is a file that labels the conclusions of a conversation.
type conclusions struct {
	Transcript string
	Format     conversation.Format
	Cuts       []struct {
		Cut         int
		Conclusions []struct{ Quote string }
	}
}

// readStatements returns the sentences of the conversations with labelled conclusions as cases, the conversation being the group. A
// sentence is positive if a conclusion that still counts stands in it, or it in the conclusion. Those that are held back are not read.
func readStatements(ctx context.Context, dir, transcripts string) (all []fit.Case, err error) {
	paths, err := labelled.ConclusionFiles(dir, false)
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		var l conclusions
		raw, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(raw, &l)
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		messages, err := labelled.Read[json.RawMessage](filepath.Join(dir, l.Transcript+".jsonl"))
		if errors.Is(err, fs.ErrNotExist) {
			messages, err = labelled.Read[json.RawMessage](filepath.Join(transcripts, l.Transcript+".jsonl"))
		}
		if err != nil {
			return nil, err
		}
		for _, c := range l.Cuts {
			study, err := reduce.NewStudy(l.Format, messages[:c.Cut], lastMessages)
			if err != nil {
				return nil, fmt.Errorf("%s at %d: %w", l.Transcript, c.Cut, err)
			}
			var quotes []string
			for _, q := range c.Conclusions {
				quotes = append(quotes, folded(q.Quote))
			}
			for _, o := range study.Statements() {
				if !o.Kept {
					all = append(all, fit.Case{Group: l.Transcript, Label: concludes(folded(o.Text), quotes), Rows: [][]float64{o.Features}})
				}
			}
		}
	}
	return all, nil
}

// concludes reports whether a sentence holds one of the quotes, or is a part of one.
func concludes(sentence string, quotes []string) bool {
	const least = 16 // bytes of a part that says something
	for _, q := range quotes {
		if strings.Contains(sentence, q) || len(sentence) >= least && strings.Contains(q, sentence) {
			return true
		}
	}
	return false
}

func folded(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }
