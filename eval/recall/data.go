package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// turn is one turn of a conversation.
type turn struct {
	Conv     string `json:"conv"`
	Session  string `json:"session"`
	ID       string `json:"turn_id"`
	Speaker  string `json:"speaker"`
	Datetime string `json:"datetime"`
	Text     string `json:"text"`
	Image    string `json:"image"`
}

func (t turn) content() string {
	if t.Image == "" {
		return t.Text
	}
	return t.Text + " [image: " + t.Image + "]"
}

// query is one question, asked of its own conversation.
type query struct {
	ID       string   `json:"query_id"`
	Conv     string   `json:"conv"`
	Question string   `json:"question"`
	Evidence []string `json:"evidence"`
	Datetime string   `json:"question_date"`
}

// conversation is what is stored and asked in one project.
type conversation struct {
	name    string
	turns   []turn
	queries []query
	turnsOf map[string][]string // object id -> turn ids that it holds
	ranked  [][]string          // of each query
}

// group brings turns and questions of one conversation together, in the order of the files.
func group(turns []turn, queries []query, together bool) []*conversation {
	byName := map[string]*conversation{}
	var all []*conversation
	of := func(name string) *conversation {
		if together {
			name = "all"
		}
		c := byName[name]
		if c == nil {
			c = &conversation{name: name, turnsOf: map[string][]string{}}
			byName[name] = c
			all = append(all, c)
		}
		return c
	}
	for _, t := range turns {
		c := of(t.Conv)
		c.turns = append(c.turns, t)
	}
	for _, q := range queries {
		if len(q.Evidence) > 0 {
			c := of(q.Conv)
			c.queries = append(c.queries, q)
		}
	}
	return all
}

// read reads JSON Lines, plain or compressed.
func read[T any](path string) ([]T, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	var all []T
	d := json.NewDecoder(bufio.NewReader(r))
	for {
		var v T
		err := d.Decode(&v)
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, v)
	}
}

// write writes the run: for each question the turns in the order in which recall returned them.
func write(path string, convs []*conversation) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	e := json.NewEncoder(f)
	for _, c := range convs {
		for i, q := range c.queries {
			if err := e.Encode(map[string]any{"query_id": q.ID, "ranked": c.ranked[i]}); err != nil {
				return err
			}
		}
	}
	return f.Close()
}
