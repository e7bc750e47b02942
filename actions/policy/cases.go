package policy

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/ctx-mcp/ctx-mcp"
)

// Cases are examples beside a policy, each with the verdict that it is to give.
type Cases struct {
	Policy  string         `yaml:"policy"`  // a preset, or a file beside the cases
	Default ctxmcp.Verdict `yaml:"default"` // empty: the preset's, or deny
	Cases   []Case         `yaml:"cases"`
}

// Case is one example.
type Case struct {
	Name     string         `yaml:"name"`
	Given    Given          `yaml:"given"`
	Want     ctxmcp.Verdict `yaml:"want"`
	Rule     string         `yaml:"rule"`     // empty: any
	Modified map[string]any `yaml:"modified"` // the parameters afterwards, if the verdict changes them
}

// Given is an Input as a person writes it. What is left out is empty, no signal but those of Signals is raised, and the
// confidence is 1 unless it is given or unknown.
type Given struct {
	Tool           string            `yaml:"tool"`
	Operation      string            `yaml:"operation"`
	Kind           ctxmcp.ActionKind `yaml:"kind"`
	Classification ctxmcp.DataClass  `yaml:"classification"`
	Parameters     map[string]any    `yaml:"parameters"`
	Tenant         string            `yaml:"tenant"`
	User           string            `yaml:"user"`
	Roles          []string          `yaml:"roles"`
	Session        string            `yaml:"session"`
	Request        struct {
		Text          string   `yaml:"text"`
		Intent        string   `yaml:"intent_classification"`
		Entities      []string `yaml:"entities"`
		ExpectedScope []string `yaml:"expected_scope"`
		Delegates     bool     `yaml:"delegates"`
		Looks         bool     `yaml:"looks"`
	} `yaml:"request"`
	State struct {
		Actions             int              `yaml:"action_count"`
		Tools               []string         `yaml:"tools_used"`
		Classification      ctxmcp.DataClass `yaml:"classification"`
		SemanticDistance    *float64         `yaml:"semantic_distance"`
		CumulativeDistance  *float64         `yaml:"cumulative_distance"`
		Confidence          *float64         `yaml:"confidence"`
		ElapsedSeconds      int              `yaml:"elapsed_seconds"`
		UntrustedSourceRead bool             `yaml:"untrusted_source_read"`
		UnreadResult        bool             `yaml:"unread_result"`
	} `yaml:"state"`
	Effect struct {
		Class     string `yaml:"class"`     // empty: by the kind
		Authority string `yaml:"authority"` // empty: text with a signal that speaks of one, else agent
		Named     bool   `yaml:"named"`
		Unasked   bool   `yaml:"unasked"`
		Refused   bool   `yaml:"refused"`
		Exceeds   bool   `yaml:"exceeds"`
		Astray    bool   `yaml:"astray"`
		Reaches   bool   `yaml:"reaches"`
		Own       bool   `yaml:"own"`
		Over      bool   `yaml:"over"`
		Public    bool   `yaml:"public"`
		Opens     bool   `yaml:"opens"`
		Delegated bool   `yaml:"delegated"`
		Carries   string `yaml:"carries"` // empty: nothing
		Pointed   bool   `yaml:"pointed"`
		Told      bool   `yaml:"told"`
		Spurred   bool   `yaml:"spurred"`
		Speaks    bool   `yaml:"speaks"`
		Vouched   bool   `yaml:"vouched"`
	} `yaml:"effect"`
	Signals []string `yaml:"signals"` // that are raised, each with a finding
	Unknown []string `yaml:"unknown"` // signals that could not be computed, or confidence
}

// ParseCases reads cases. It returns CodeInvalid for a text that is not of their form, with the place, and for a word that
// means nothing.
func ParseCases(name string, text []byte) (Cases, error) {
	var c Cases
	if err := yaml.UnmarshalWithOptions(text, &c, yaml.Strict()); err != nil {
		return c, ctxmcp.Errorf(ctxmcp.CodeInvalid, "%s: %s", name, yaml.FormatError(err, false, false))
	}
	if c.Policy == "" || len(c.Cases) == 0 {
		return c, ctxmcp.Errorf(ctxmcp.CodeInvalid, "%s names no policy, or has no cases", name)
	}
	for i, one := range c.Cases {
		if err := one.check(); err != nil {
			return c, ctxmcp.Errorf(ctxmcp.CodeInvalid, "%s: case %d, %s: %v", name, i+1, one.Name, err)
		}
	}
	return c, nil
}

func (c Case) check() error {
	known := append(Signals(), "confidence")
	for _, name := range slices.Concat(c.Given.Signals, c.Given.Unknown) {
		if !slices.Contains(known, name) {
			return fmt.Errorf("there is no signal %q: use one of %s", name, ctxmcp.Words(Signals()))
		}
	}
	if err := ctxmcp.CheckWord("want", c.Want, ctxmcp.Verdicts()); err != nil {
		return err
	}
	return ctxmcp.CheckWord("kind", c.Given.Kind, ctxmcp.ActionKinds())
}

// Input returns what is given.
func (g Given) Input() Input {
	in := Input{
		Tenant: g.Tenant, User: g.User, Roles: g.Roles, Session: g.Session,
		Request: Request{g.Request.Text, g.Request.Intent, g.Request.Entities, g.Request.ExpectedScope, g.Request.Delegates, g.Request.Looks},
		Action:  Action{g.Tool, g.Operation, g.Kind, g.Classification, g.Parameters},
		State: State{
			Actions: g.State.Actions, Tools: g.State.Tools, Classification: g.State.Classification,
			SemanticDistance: g.State.SemanticDistance, CumulativeDistance: g.State.CumulativeDistance, Confidence: g.State.Confidence,
			Elapsed: time.Duration(g.State.ElapsedSeconds) * time.Second, UntrustedSourceRead: g.State.UntrustedSourceRead,
			UnreadResult: g.State.UnreadResult,
		},
		Effect:  g.effect(),
		Signals: map[string]bool{},
	}
	if in.State.Confidence == nil && !slices.Contains(g.Unknown, "confidence") {
		sure := 1.0
		in.State.Confidence = &sure
	}
	for _, name := range Signals() {
		if !slices.Contains(g.Unknown, name) {
			in.Signals[name] = slices.Contains(g.Signals, name)
		}
	}
	for _, name := range g.Signals {
		in.Findings = append(in.Findings, ctxmcp.Finding{Signal: name})
	}
	return in
}

// effect returns the effect that is given, or one of the kind that the agent chose and the user asked for.
func (g Given) effect() Effect {
	class := cmp.Or(g.Effect.Class, map[ctxmcp.ActionKind]string{
		ctxmcp.ReadAction: "read", ctxmcp.WriteAction: "change", ctxmcp.OutboundAction: "message", ctxmcp.UnknownAction: "unknown",
	}[g.Kind])
	authority := "agent"
	if slices.Contains(g.Signals, "instruction_echo") || slices.Contains(g.Signals, "tainted_destination") {
		authority = "text" // as these signals say
	}
	return Effect{
		Class: class, Danger: dangers[class], Authority: cmp.Or(g.Effect.Authority, authority), Asked: !g.Effect.Unasked, Delegated: g.Effect.Delegated,
		Carries: cmp.Or(g.Effect.Carries, "nothing"), Pointed: g.Effect.Pointed, Told: g.Effect.Told, Speaks: g.Effect.Speaks, Spurred: g.Effect.Spurred, Vouched: g.Effect.Vouched,
		Named: g.Effect.Named, Refused: g.Effect.Refused, Exceeds: g.Effect.Exceeds, Astray: g.Effect.Astray, Reaches: g.Effect.Reaches, Own: g.Effect.Own, Over: g.Effect.Over, Public: g.Effect.Public, Opens: g.Effect.Opens,
	}
}

// Try decides the case, and returns what is wrong with the decision, or nothing.
func (c Case) Try(s *Set) (got ctxmcp.Decision, wrong string) {
	in := c.Given.Input()
	got = s.Decide(in)
	switch {
	case got.Verdict != c.Want:
		wrong = fmt.Sprintf("%s by %s, want %s", got.Verdict, got.Rule, c.Want)
	case c.Rule != "" && got.Rule != c.Rule:
		wrong = fmt.Sprintf("%s by %s, want it by %s", got.Verdict, got.Rule, c.Rule)
	case c.Modified != nil:
		wrong = c.modified(in, got)
	}
	return got, wrong
}

func (c Case) modified(in Input, d ctxmcp.Decision) string {
	got, err := Apply(in.Action.Parameters, d.Modifications)
	if err != nil {
		return err.Error()
	}
	want, err := cloned(c.Modified)
	if err != nil {
		return err.Error()
	}
	if !reflect.DeepEqual(got, want) {
		return fmt.Sprintf("the parameters become %v, want %v", got, want)
	}
	return ""
}
