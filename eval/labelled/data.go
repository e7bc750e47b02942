// Package labelled reads labelled conversations and stores them in a real ctx-mcp server, for the programs that measure it.
// The data stays outside the repository.
package labelled

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// Turn is one turn of a conversation.
type Turn struct {
	Conv     string `json:"conv"`
	Session  string `json:"session"`
	ID       string `json:"turn_id"`
	Speaker  string `json:"speaker"`
	Datetime string `json:"datetime"`
	Text     string `json:"text"`
	Image    string `json:"image"`
}

// Content returns the words of the turn as they are stored.
func (t Turn) Content() string {
	if t.Image == "" {
		return t.Text
	}
	return t.Text + " [image: " + t.Image + "]"
}

// Query is one question, asked of its own conversation.
type Query struct {
	ID       string   `json:"query_id"`
	Conv     string   `json:"conv"`
	Question string   `json:"question"`
	Category string   `json:"category"`
	Evidence []string `json:"evidence"`
	Datetime string   `json:"question_date"`
}

// Conversation holds the turns and the questions of one project.
type Conversation struct {
	Name    string
	Turns   []Turn
	Queries []Query
	TurnsOf map[string][]string // object id -> turn ids that it holds
	Ranked  [][]string          // of each query
}

// Group brings turns and questions of one conversation together, in the order of the files.
func Group(turns []Turn, queries []Query, together bool) []*Conversation {
	byName := map[string]*Conversation{}
	var all []*Conversation
	of := func(name string) *Conversation {
		if together {
			name = "all"
		}
		c := byName[name]
		if c == nil {
			c = &Conversation{Name: name, TurnsOf: map[string][]string{}}
			byName[name] = c
			all = append(all, c)
		}
		return c
	}
	for _, t := range turns {
		c := of(t.Conv)
		c.Turns = append(c.Turns, t)
	}
	for _, q := range queries {
		if len(q.Evidence) > 0 {
			c := of(q.Conv)
			c.Queries = append(c.Queries, q)
		}
	}
	return all
}

// Read reads JSON Lines, plain or compressed.
func Read[T any](path string) ([]T, error) {
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
