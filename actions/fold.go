package actions

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions/effect"
	"github.com/ctx-mcp/ctx-mcp/actions/taint"
)

func newAccumulator(o Options) *accumulator {
	return &accumulator{
		opts: o, acts: map[string]*act{}, keys: map[string]string{}, stated: map[string]bool{},
		signals: noSignals(o), verdicts: map[ctxmcp.Verdict]int{}, known: taint.NewReadBy(o.reader),
		waiting: map[string]*waiting{}, fetched: map[string]bool{},
	}
}

// apply folds a record in.
func (a *accumulator) apply(r Record) error {
	var err error
	if r.At.After(a.latest) {
		a.latest = r.At
	}
	switch r.Kind {
	case StartRecord:
		if err = json.Unmarshal(r.Body, &a.start); err == nil {
			a.begin(r.At)
		}
	case MessageRecord:
		var b messageBody
		if err = json.Unmarshal(r.Body, &b); err == nil {
			a.state(b)
		}
	case ActionRecord:
		var b actionBody
		if err = json.Unmarshal(r.Body, &b); err == nil {
			a.append(r, b)
		}
	case ResultRecord:
		var b resultBody
		if err = json.Unmarshal(r.Body, &b); err == nil {
			a.complete(r.At, b)
		}
	case RulingRecord:
		var b rulingBody
		if err = json.Unmarshal(r.Body, &b); err == nil {
			a.rule(b)
		}
	case EndRecord:
		var b endBody
		err = json.Unmarshal(r.Body, &b)
		a.ended, a.closing = r.At, b.Receipt
	}
	if err != nil {
		return fmt.Errorf("read record %d of a session: %w", r.Seq, err)
	}
	return nil
}

func (a *accumulator) begin(at time.Time) {
	a.started = at
	a.known.SetTools(a.start.Tools)
	a.known.Hear(a.start.Request.Text, a.start.Attested, a.start.Request.Entities...)
	if err := a.known.Examine(context.Background(), a.start.Tools); err != nil { // it has no end
		panic(err)
	}
	a.digest = digestOf("", struct {
		Request Request
		Tools   []taint.Definition
	}{a.start.Request, a.start.Tools})
}

// state folds in the statements of the user since the last action. Given again for the same action they count once.
func (a *accumulator) state(b messageBody) {
	if b.Before != "" && a.stated[b.Before] {
		return
	}
	a.stated[b.Before] = true
	for _, m := range b.Messages {
		a.messages = append(a.messages, m)
		a.known.Hear(m, b.Attested)
		if b.Attested && a.asked != nil && taint.Assents(m) {
			a.known.Approve(a.asked.calls, evidenceIn(a.asked.findings))
		}
		a.asked = nil // it was answered, or the user speaks of something else
	}
	a.digest = digestOf(a.digest, b.Messages)
}

func (a *accumulator) append(r Record, b actionBody) {
	class := a.opts.classify(b.Calls[0].Tool, b.Declared)
	a.acts[b.ID] = &act{
		seq: r.Seq, index: len(a.acts), sum: b.Sum, verdict: b.Answer.Decision.Verdict, tool: b.Calls[0].Tool, declared: b.Declared, class: class, makes: b.Makes,
	}
	if b.Key != "" {
		a.keys[b.Key] = b.ID
	}
	a.pace.add(r.At)
	a.verdicts[b.Answer.Decision.Verdict]++
	a.tally = a.tallyWith(b)
	a.known.Act(b.ID, b.Calls, b.Told)
	if b.Secret {
		a.known.ReadsSecrets(b.ID, b.Mixed)
	}
	if b.Web {
		a.known.ReadsWeb(b.ID, b.Searched)
	}
	for _, file := range b.Saves {
		a.fetched[file] = true
	}
	if b.Answer.Decision.Verdict != ctxmcp.Deny {
		a.copies = append(a.copies, b.Copies[:min(len(b.Copies), max(0, maxMade-len(a.copies)))]...)
	}
	if b.Stages != effect.NothingStaged && b.Answer.Decision.Verdict != ctxmcp.Deny {
		a.staged = b.Stages == effect.SecretStaged
	}
	a.await(r.At, b)
	if v := b.Answer.Decision.Verdict; v == ctxmcp.StepUp || v == ctxmcp.Deny {
		a.asked = &asked{b.Calls, b.Answer.Findings}
	}
	a.entries = append(a.entries, Entry{
		ID: b.ID, Timestamp: r.At, Tool: b.Tool, Operation: b.Operation, Parameters: b.Parameters, Classification: class,
		Verdict: b.Answer.Decision.Verdict, Distance: b.Distance, Findings: b.Answer.Findings,
	})
	a.signals = maps.Clone(b.Answer.RiskSignals)
	a.digest = digestOf(a.digest, struct {
		Tool, Operation string
		Parameters      json.RawMessage
		Decision        ctxmcp.Decision
		Signals         map[string]bool
		Distance        float64
	}{b.Tool, b.Operation, b.Parameters, b.Answer.Decision, b.Answer.RiskSignals, b.Distance})
	a.compact()
}

// tallyWith returns the tally as it is once the action is in.
func (a *accumulator) tallyWith(b actionBody) tally {
	var entities []string
	for _, c := range b.Calls {
		entities = append(entities, a.known.Entities(c)...)
	}
	return a.tally.with(b.Calls, a.opts.classify(b.Calls[0].Tool, b.Declared), b.Distance, entities)
}

func (a *accumulator) complete(at time.Time, b resultBody) {
	done := a.acts[b.ID]
	done.result = b.Sum
	class := a.opts.classify(done.tool, done.declared, b.Declared, detected(b.Labels))
	a.tally = a.tally.moved(done.tool, done.class, class)
	done.class = class
	a.make(done.makes, b)
	a.known.Result(b.ID, done.tool, b.Text, done.class, b.Attested)
	for i := range a.entries {
		if e := &a.entries[i]; e.ID == b.ID {
			e.ResultSummary, e.Classification, e.IsError, e.CompletedAt = summarize(b), done.class, b.IsError, at
		}
	}
	a.signals = a.afterResult()
	a.digest = digestOf(a.digest, struct {
		Index   int
		Text    string
		Class   ctxmcp.DataClass
		IsError bool
	}{done.index, b.Text, done.class, b.IsError})
}
