package compiler

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/conversation"
)

// block is one text of the output, or a message of the conversation as it came.
type block struct {
	group  group
	zone   ZoneName
	pieces []piece
	turn   *conversation.Message // of the conversation
	result *item                 // of a tool
}

// piece is a stretch of a block that one thing put there.
type piece struct {
	text   string
	it     *item
	source string
	rule   string
}

func (b *block) text() string {
	texts := make([]string, len(b.pieces))
	for i, p := range b.pieces {
		texts[i] = p.text
	}
	return strings.Join(texts, "\n")
}

// tries bounds how often the budget is divided anew because counts of parts do not add up to that of the whole.
const tries = 16

// emit writes the output in the form of the provider, with its trace.
func emit(s *state) error {
	for n := 0; ; n++ {
		s.layOut()
		over := s.total() - s.in.Request.MaxTokens
		if over <= 0 {
			break
		}
		if n == tries && !s.silent && len(s.history) > 0 { // there is no room to say what is left out
			s.silent, s.room, n = true, s.in.Request.MaxTokens, -1
			over = 0
		}
		if n == tries {
			return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "the critical content is %d tokens over max_tokens", over).
				WithHint("raise max_tokens to %d or more", s.in.Request.MaxTokens+over)
		}
		s.room -= over
		if err := s.allot(); err != nil {
			return err
		}
	}
	s.leaveOut()
	s.checkCalls()
	s.out.Tokens = s.total()
	s.out.Utilization = ctxmcp.Round(float64(s.out.Tokens) / float64(s.out.Budget))
	s.zones()
	if err := renderers[s.in.Request.Format](s); err != nil {
		return err
	}
	s.trace()
	return nil
}

// leaveOut gives those that found no room their outcome.
func (s *state) leaveOut() {
	for _, it := range s.live() {
		if it.form < 0 {
			s.omit(it, OverBudget, "", "")
		}
	}
	dropped := 0
	for i := range s.history {
		if t := &s.history[i]; !t.kept() {
			dropped += len(t.forms[0].messages)
		}
	}
	if dropped > 0 {
		s.warn(plural(dropped, "earlier message") + " found no room: reduce_messages keeps what they say")
	}
}

// layOut fills the blocks with the items that the budget takes.
func (s *state) layOut() {
	s.blocks = nil
	r := s.in.Request
	s.add(systemGroup, ZoneSystem, piece{text: r.SystemPrompt, source: "request", rule: "order/system_prompt"})
	for _, text := range s.systemTexts {
		s.add(systemGroup, ZoneSystem, piece{text: text, source: "messages", rule: "order/system_prompt"})
	}
	s.add(systemGroup, ZoneSystem, piece{text: s.notice(), rule: "contain/notice"})
	bySection := s.bySection()
	s.addSection(rulesSection, bySection)
	s.addSection(toolsSection, bySection)
	s.addHistory()
	if s.needsOpening(bySection[resultsSection]) {
		s.blocks = append(s.blocks, &block{group: resultsGroup, zone: ZoneDynamic, turn: &firstTurn})
	}
	for _, it := range bySection[resultsSection] {
		s.blocks = append(s.blocks, &block{group: resultsGroup, zone: ZoneDynamic, result: it,
			pieces: []piece{s.pieceOf(it, framed(it.forms[it.form].Text, sourceOf(it)))}})
	}
	for _, sec := range []section{constraintsSection, guidanceSection, memorySection} {
		s.addSection(sec, bySection)
	}
	s.addRetrieved(bySection[retrievedSection])
	for _, it := range bySection[documentsSection] {
		s.add(retrievedGroup, ZoneDynamic, s.pieceOf(it, framed(it.forms[it.form].Text, sourceOf(it))))
	}
	s.addSection(taskSection, bySection)
	for _, p := range s.fieldLines() {
		s.add(taskGroup, ZoneDynamic, p)
	}
	s.addSection(appendedSection, bySection)
	s.add(userGroup, ZoneDynamic, piece{text: s.said, source: "request", rule: "order/user_message"})
	slices.SortStableFunc(s.blocks, func(a, b *block) int { return cmp.Compare(a.group, b.group) })
}

// addHistory adds the turns that are shown, with a note in each place where some are not.
func (s *state) addHistory() {
	add := func(m *conversation.Message) {
		s.blocks = append(s.blocks, &block{group: historyGroup, zone: ZoneHistory, turn: m})
	}
	if len(s.history) > 0 && s.in.Request.Format == Anthropic && s.history[0].kept() && s.history[0].now()[0].Role != conversation.User {
		add(&assistantFirst)
	}
	for i := 0; i < len(s.history); i++ {
		if t := &s.history[i]; t.kept() {
			for j := range t.now() {
				add(&t.now()[j])
			}
			continue
		}
		first := i
		for i < len(s.history) && !s.history[i].kept() {
			i++
		}
		i--
		if s.silent {
			continue
		}
		note := s.leftOut(s.history[first : i+1])
		add(&note)
	}
}

// assistantFirst stands before a conversation that the assistant began: a form begins with the user.
var assistantFirst = conversation.Said(conversation.User, "(The assistant spoke first.)")

// firstTurn stands before the first call of a conversation that has no turn yet: a form begins with the user.
var firstTurn = conversation.Said(conversation.User, "(Results of tools follow.)")

func (s *state) needsOpening(results []*item) bool {
	return len(results) > 0 && s.in.Request.Format == Anthropic &&
		len(s.history) == 0
}

// add appends a piece to the block of its group, which it opens.
func (s *state) add(g group, zone ZoneName, p piece) {
	if p.text == "" {
		return
	}
	for _, b := range s.blocks {
		if b.group == g {
			b.pieces = append(b.pieces, p)
			return
		}
	}
	s.blocks = append(s.blocks, &block{group: g, zone: zone, pieces: []piece{p}})
}

func (s *state) bySection() map[section][]*item {
	all := map[section][]*item{}
	for _, it := range s.live() {
		if it.form >= 0 {
			all[it.section] = append(all[it.section], it)
		}
	}
	for _, items := range all {
		slices.SortFunc(items, s.compareInSection)
	}
	slices.SortStableFunc(all[guidanceSection], func(a, b *item) int { return cmp.Compare(guidePlace(a), guidePlace(b)) })
	for sec, items := range all {
		if s.in.labelled() {
			all[sec] = newerFirst(items)
		}
	}
	return all
}

// guidePlace returns the place of an item's type among the guidance: what decides on the matter first, what the reader is like last.
func guidePlace(it *item) int {
	return slices.Index([]ctxmcp.ObjectType{ctxmcp.ActionableConstraint, ctxmcp.ProjectDecision, ctxmcp.Preference, ctxmcp.IdentityFact}, it.Object.ObjectType)
}

func (s *state) addSection(sec section, all map[section][]*item) {
	if len(all[sec]) == 0 {
		return
	}
	info := sections[sec]
	s.add(info.group, info.zone, piece{text: info.heading, rule: "order/heading"})
	lead := ""
	for _, it := range all[sec] {
		if l := s.lead(it); l != lead {
			s.add(info.group, info.zone, piece{text: l, rule: "order/heading"})
			lead = l
		}
		text := "- " + it.forms[it.form].Text
		if it.contained {
			text = framed(it.forms[it.form].Text, sourceOf(it))
		}
		s.add(info.group, info.zone, s.pieceOf(it, text))
	}
}

// addRetrieved puts memories in the words of others within one pair of delimiters, a line each.
func (s *state) addRetrieved(items []*item) {
	if len(items) == 0 {
		return
	}
	lines := make([]string, len(items))
	for i, it := range items {
		lines[i] = "- " + it.forms[it.form].Text
	}
	whole := strings.Split(framed(strings.Join(lines, "\n"), "memory"), "\n")
	s.add(retrievedGroup, ZoneDynamic, piece{text: whole[0], rule: "contain/frame"})
	for i, it := range items {
		s.add(retrievedGroup, ZoneDynamic, s.pieceOf(it, lines[i]))
	}
	s.add(retrievedGroup, ZoneDynamic, piece{text: whole[len(whole)-1], rule: "contain/frame"})
}

func (s *state) pieceOf(it *item, text string) piece {
	it.tokens = s.counter.Count(text)
	rule := "convert/" + string(Rungs()[it.rung])
	if it.attached != "" {
		rule = "rescue/passage"
	}
	return piece{text: text, it: it, source: it.Object.SourceOrigin, rule: rule + ": " + it.why}
}

// total returns the tokens of the output as it is laid out.
func (s *state) total() int {
	n := 0
	for _, b := range s.blocks {
		n += s.tokensOf(b)
	}
	return n
}

func (s *state) tokensOf(b *block) int {
	switch {
	case b.turn != nil:
		return s.counter.Count(sentText(b.turn)) + s.in.Policy.MessageTokens
	case b.result != nil:
		return s.counter.Count(b.text()) + 2*s.in.Policy.MessageTokens + s.counter.Count(b.result.CallID+b.result.Tool)*2 + 8
	}
	return s.counter.Count(b.text()) + s.in.Policy.MessageTokens
}

// zones sums up the blocks.
func (s *state) zones() {
	s.out.Zones = []Zone{}
	for _, name := range []ZoneName{ZoneSystem, ZonePolicy, ZoneHistory, ZoneDynamic} {
		z, digest := Zone{Name: name, Cacheable: name != ZoneDynamic}, sha256.New()
		for _, b := range s.blocks {
			if b.zone != name {
				continue
			}
			z.Tokens += s.tokensOf(b)
			if b.turn != nil {
				digest.Write([]byte(string(b.turn.Role) + "\x00" + sentText(b.turn)))
			} else {
				digest.Write([]byte(b.text()))
			}
			digest.Write([]byte{0})
		}
		if z.Tokens > 0 {
			z.Digest = hex.EncodeToString(digest.Sum(nil))
			s.out.Zones = append(s.out.Zones, z)
		}
	}
}

func (s *state) zoneTokens(name ZoneName) int {
	for _, z := range s.out.Zones {
		if z.Name == name {
			return z.Tokens
		}
	}
	return 0
}
