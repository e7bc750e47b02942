package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp/eval/labelled"
	"github.com/ctx-mcp/ctx-mcp/eval/lsa"
)

// dimension of the vectors that the endpoint serves.
const dimension = 192

// endpoint is an embeddings endpoint on a loopback port. Its vectors are computed from the texts alone, by latent semantic
// analysis of the turns, three at a time: it knows neither questions nor labels.
type endpoint struct {
	model *lsa.Model
	url   string
}

// serveEmbeddings starts an endpoint for the turns. It ends with the program.
func serveEmbeddings(turns []labelled.Turn) (*endpoint, error) {
	began := time.Now()
	e := &endpoint{model: lsa.Fit(windows(turns), dimension)}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	e.url = "http://" + listener.Addr().String() + "/v1"
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/embeddings", e.answer)
	go func() { log.Print(http.Serve(listener, mux)) }()
	log.Printf("embeddings endpoint ready after %.1f s", time.Since(began).Seconds())
	return e, nil
}

// windows returns each turn with its neighbours in the session, as one text.
func windows(turns []labelled.Turn) []string {
	texts := make([]string, len(turns))
	for i, t := range turns {
		for j := max(0, i-1); j <= min(i+1, len(turns)-1); j++ {
			if turns[j].Session == t.Session {
				texts[i] += turns[j].Content() + "\n"
			}
		}
	}
	return texts
}

func (e *endpoint) answer(w http.ResponseWriter, r *http.Request) {
	var call struct {
		Input []string `json:"input"`
		Model string   `json:"model"`
	}
	if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	type row struct {
		Object    string    `json:"object"`
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	}
	rows := make([]row, len(call.Input))
	for i, text := range call.Input {
		rows[i] = row{"embedding", i, e.model.Vector(text)}
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(map[string]any{"object": "list", "model": call.Model, "data": rows}); err != nil {
		log.Print(err)
	}
}

// rank answers every question of a conversation by the vectors alone, without the server.
func (e *endpoint) rank(c *labelled.Conversation) {
	held := make([][]float32, len(c.Turns))
	for i, t := range c.Turns {
		held[i] = e.model.Vector(t.Content())
	}
	for _, q := range c.Queries {
		asked := e.model.Vector(q.Question)
		order, similarity := make([]int, len(held)), make([]float32, len(held))
		for i, v := range held {
			order[i] = i
			for d, x := range v {
				similarity[i] += x * asked[d]
			}
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(similarity[b], similarity[a]) })
		ranked := []string{}
		for _, i := range order[:min(len(order), 100)] {
			ranked = append(ranked, c.Turns[i].ID)
		}
		c.Ranked = append(c.Ranked, ranked)
	}
}

// untilEmbedded waits until recall in a conversation no longer says that embeddings are missing.
func untilEmbedded(ctx context.Context, s *labelled.Server, c *labelled.Conversation) error {
	look := time.NewTicker(200 * time.Millisecond)
	defer look.Stop()
	for {
		var out struct {
			Warnings []string `json:"warnings"`
		}
		arguments := map[string]any{"query": c.Turns[0].Content(), "limit": 1, "scope": map[string]any{"project": labelled.ID(c.Name)}}
		if err := s.Call(ctx, "recall", arguments, &out); err != nil {
			return fmt.Errorf("wait for embeddings: %w", err)
		}
		if len(out.Warnings) == 0 {
			return nil
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
