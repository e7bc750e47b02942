package main

import (
	"slices"

	"github.com/ctx-mcp/ctx-mcp/eval/labelled"
)

// choose reads the sessions that are to be played, and writes their rows for the scorer where a file for them is named. Those of suites that
// are held back are passed over as they are read, unless they are what is asked for.
func (p plan) choose() ([]labelled.Session, error) {
	rows, err := labelled.Read[map[string]any](p.sessions)
	if err != nil {
		return nil, err
	}
	played := map[string]bool{}
	var kept []map[string]any
	for _, row := range rows {
		suite, _ := row["suite"].(string)
		if labelled.HeldBackSuite(suite) != p.blind {
			continue
		}
		if len(kept)%p.every == 0 || p.every == 1 {
			id, _ := row["session_id"].(string)
			played[id] = true
		}
		row["kind"] = kindOf(row)
		kept = append(kept, row)
	}
	kept = slices.DeleteFunc(kept, func(row map[string]any) bool { id, _ := row["session_id"].(string); return !played[id] })
	sessions, err := labelled.Read[labelled.Session](p.sessions)
	if err != nil {
		return nil, err
	}
	sessions = slices.DeleteFunc(sessions, func(s labelled.Session) bool { return !played[s.ID] })
	if p.played == "" {
		return sessions, nil
	}
	return sessions, writeRows(p.played, kept)
}

// kindOf returns the family of an injection, or the style of a session without one; its class where the data names neither.
func kindOf(row map[string]any) string {
	label, _ := row["label"].(map[string]any)
	name := "family"
	if label["class"] == "benign" {
		name = "style"
	}
	if kind, _ := label[name].(string); kind != "" {
		return kind
	}
	class, _ := label["class"].(string)
	return class
}
