package compiler

import (
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/conversation"
	"github.com/ctx-mcp/ctx-mcp/language"
	"github.com/ctx-mcp/ctx-mcp/language/lexicon"
)

// The bounds of names: of the text that is read for them, of the statements that one may be in, and of those that stand in a prompt for one.
const (
	mostNaming  = 20_000 // characters
	shortName   = 4      // letters
	mostOfName  = 3      // a name that more statements have tells nothing of them
	mostByNames = 4
)

// namesIn returns the words of a text that general texts do not have: names of people, places, products, and terms of a trade.
func namesIn(text string) map[string]bool {
	names := map[string]bool{}
	for _, form := range language.Words(strings.ReplaceAll(ctxmcp.Cut(text, mostNaming), "_", " ")) {
		if len(form) >= shortName && !strings.ContainsAny(form, "0123456789") && lexicon.Commonness(form) == 0 {
			names[form] = true
		}
	}
	return names
}

// namesInPlay returns the names in the turn, in the turns that it leans on, and in the last results.
func (s *state) namesInPlay() map[string]bool {
	texts := []string{s.in.Request.Query, s.said}
	for _, n := range s.in.Request.Need {
		if n.From != areaFrom && n.From != talkFrom {
			texts = append(texts, n.Text)
		}
	}
	for _, it := range s.items {
		if it.Kind == KindToolResult && it.drop == nil {
			texts = append(texts, ctxmcp.Cut(it.Object.Content, mostNaming))
		}
	}
	return namesIn(strings.Join(append(texts, s.lastResults()...), "\n"))
}

// lastResults returns the results in the conversation since the user spoke.
func (s *state) lastResults() (texts []string) {
	for i := len(s.history) - 1; i >= 0; i-- {
		for j := range s.history[i].forms[0].messages {
			m := &s.history[i].forms[0].messages[j]
			if m.Role == conversation.User && saidBy(m) != "" {
				return texts
			}
			texts = append(texts, ctxmcp.Cut(spoken(m), mostNaming))
		}
	}
	return texts
}

// ofNames lets in what tells of a name that is in play: of the hotel that was proposed, of the system whose step was late. Older forms of inputs know
// no names.
func (s *state) ofNames() {
	if s.in.Schema == firstInputsSchema {
		return
	}
	inPlay := s.namesInPlay()
	if len(inPlay) == 0 {
		return
	}
	held := map[*item]map[string]bool{}
	statements := map[string]int{}
	for _, it := range s.items {
		if it.Kind != KindMemory || it.Object.Author != "" || it.Object.Authority > ctxmcp.AuthorityUser {
			continue
		}
		held[it] = namesIn(it.Object.Content)
		for name := range held[it] {
			statements[name]++
		}
	}
	tells := func(it *item) bool {
		for name := range held[it] {
			if inPlay[name] && statements[name] <= mostOfName {
				return true
			}
		}
		return false
	}
	for _, it := range s.bestBeside(mostByNames, tells) {
		it.drop, it.tier = nil, Useful
		it.share = max(it.share, s.in.Policy.Useful)
	}
}
