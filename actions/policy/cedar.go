package policy

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/cedar-policy/cedar-go"
	"github.com/cedar-policy/cedar-go/types"

	"github.com/ctx-mcp/ctx-mcp"
)

// cedar returns the input as the schema has it.
func (in Input) cedar() (cedar.EntityMap, cedar.Request) {
	user := cedar.NewEntityUID("User", cedar.String(in.Tenant+"/"+in.User))
	call := cedar.NewEntityUID("Call", cedar.String(strings.TrimSuffix(in.Action.Tool+"."+in.Action.Operation, ".")))
	tool := cedar.NewEntityUID("Tool", cedar.String(in.Action.Tool))
	numbers := cedar.NewEntityUID("Numbers", call.ID)
	var roles []cedar.EntityUID
	for _, role := range in.Roles {
		roles = append(roles, cedar.NewEntityUID("Role", cedar.String(role)))
	}
	texts, amounts := tags(in.Action.Parameters)
	entities := cedar.EntityMap{
		user: {UID: user, Parents: cedar.NewEntityUIDSet(roles...), Attributes: cedar.NewRecord(cedar.RecordMap{
			"tenant": cedar.String(in.Tenant), "name": cedar.String(in.User),
		})},
		call: {UID: call, Parents: cedar.NewEntityUIDSet(tool), Tags: cedar.NewRecord(texts), Attributes: cedar.NewRecord(cedar.RecordMap{
			"tool": cedar.String(in.Action.Tool), "operation": cedar.String(in.Action.Operation), "numbers": numbers,
		})},
		numbers: {UID: numbers, Tags: cedar.NewRecord(amounts)},
	}
	effect := cedar.NewEntityUID("Action", "effect")
	for _, kind := range ctxmcp.ActionKinds() {
		uid := actionOf(kind)
		e := cedar.Entity{UID: uid}
		if kind != ctxmcp.ReadAction {
			e.Parents = cedar.NewEntityUIDSet(effect)
		}
		entities[uid] = e
	}
	return entities, cedar.Request{Principal: user, Action: actionOf(in.Action.Kind), Resource: call, Context: in.context()}
}

// actionOf returns the action of a kind. A kind that is no word is unknown.
func actionOf(kind ctxmcp.ActionKind) cedar.EntityUID {
	if !ctxmcp.Known(kind, ctxmcp.ActionKinds()) {
		kind = ctxmcp.UnknownAction
	}
	return cedar.NewEntityUID("Action", cedar.String(kind))
}

func (in Input) context() cedar.Record {
	signals := cedar.RecordMap{}
	for name, raised := range in.Signals {
		signals[cedar.String(name)] = cedar.Boolean(raised)
	}
	found := []string{}
	for _, f := range in.Findings {
		found = append(found, f.Signal)
	}
	class := ctxmcp.DataClasses()[in.Action.Classification.Rank()]
	return cedar.NewRecord(cedar.RecordMap{
		"session":        cedar.String(in.Session),
		"kind":           actionOf(in.Action.Kind).ID,
		"classification": cedar.String(class),
		"sensitivity":    cedar.Long(class.Rank()),
		"request":        in.Request.record(),
		"state":          in.State.record(),
		"effect":         in.Effect.record(),
		"signals":        cedar.NewRecord(signals),
		"findings":       setOf(found),
	})
}

func (e Effect) record() cedar.Record {
	return cedar.NewRecord(cedar.RecordMap{
		"class": cedar.String(e.Class), "danger": cedar.Long(e.Danger), "authority": cedar.String(e.Authority), "asked": cedar.Boolean(e.Asked),
		"delegated": cedar.Boolean(e.Delegated), "carries": cedar.String(e.Carries), "told": cedar.Boolean(e.Told), "speaks": cedar.Boolean(e.Speaks),
		"spurred": cedar.Boolean(e.Spurred), "vouched": cedar.Boolean(e.Vouched), "named": cedar.Boolean(e.Named), "pointed": cedar.Boolean(e.Pointed),
		"refused": cedar.Boolean(e.Refused), "exceeds": cedar.Boolean(e.Exceeds), "astray": cedar.Boolean(e.Astray), "reaches": cedar.Boolean(e.Reaches), "own": cedar.Boolean(e.Own), "over": cedar.Boolean(e.Over), "public": cedar.Boolean(e.Public),
		"opens": cedar.Boolean(e.Opens),
	})
}

func (r Request) record() cedar.Record {
	m := cedar.RecordMap{
		"text": cedar.String(r.Text), "entities": setOf(r.Entities), "delegates": cedar.Boolean(r.Delegates), "looks": cedar.Boolean(r.Looks),
	}
	if r.Intent != "" {
		m["intent_classification"] = cedar.String(r.Intent)
	}
	if len(r.ExpectedScope) > 0 {
		m["expected_scope"] = setOf(r.ExpectedScope)
	}
	return cedar.NewRecord(m)
}

func (s State) record() cedar.Record {
	class := s.Classification
	if class == "" {
		class = ctxmcp.PublicData
	}
	m := cedar.RecordMap{
		"action_count": cedar.Long(s.Actions), "tools_used": setOf(s.Tools), "classification": cedar.String(class),
		"sensitivity": cedar.Long(class.Rank()), "elapsed_seconds": cedar.Long(s.Elapsed.Seconds()),
		"untrusted_source_read": cedar.Boolean(s.UntrustedSourceRead), "unread_result": cedar.Boolean(s.UnreadResult),
	}
	for name, measured := range map[cedar.String]*float64{
		"semantic_distance": s.SemanticDistance, "cumulative_distance": s.CumulativeDistance, "confidence": s.Confidence,
	} {
		if measured != nil && !math.IsNaN(*measured) {
			m[name] = decimalOf(*measured)
		}
	}
	return cedar.NewRecord(m)
}

func setOf(list []string) cedar.Set {
	values := make([]cedar.Value, len(list))
	for i, text := range list {
		values[i] = cedar.String(text)
	}
	return cedar.NewSet(values...)
}

// tags returns the arguments as texts and as numbers, by their paths.
func tags(parameters map[string]any) (texts, numbers cedar.RecordMap) {
	texts, numbers = cedar.RecordMap{}, cedar.RecordMap{}
	for name, value := range parameters {
		tag(texts, numbers, name, value)
	}
	return texts, numbers
}

// tag adds what value holds under its path, and returns it as text: of a list or an object, the texts of its parts on lines
// of their own.
func tag(texts, numbers cedar.RecordMap, path string, value any) string {
	text := ""
	switch v := value.(type) {
	case map[string]any:
		var parts []string
		for _, name := range sortedKeys(v) {
			parts = append(parts, tag(texts, numbers, path+"/"+name, v[name]))
		}
		text = strings.Join(parts, "\n")
	case []any:
		var parts []string
		for i, part := range v {
			parts = append(parts, tag(texts, numbers, path+"/"+strconv.Itoa(i), part))
		}
		text = strings.Join(parts, "\n")
	case string:
		text = v
		addNumber(numbers, path, strings.TrimSpace(v))
	default:
		raw, err := json.Marshal(v)
		if err != nil {
			panic(err) // parameters come from JSON
		}
		text = string(raw)
		addNumber(numbers, path, text)
	}
	texts[cedar.String(path)] = cedar.String(text)
	return text
}

// addNumber adds a text that spells a number.
func addNumber(numbers cedar.RecordMap, path, text string) {
	if x, err := strconv.ParseFloat(text, 64); (err == nil || math.IsInf(x, 0)) && !math.IsNaN(x) {
		numbers[cedar.String(path)] = decimalOf(x)
	}
}

// decimalOf returns x with four digits, away from zero, and the largest decimal for a larger one: an input that is compared with a
// limit must not come out below it.
func decimalOf(x float64) types.Decimal {
	const most = 922337203685477
	scaled := math.Abs(x) * 10_000
	up := math.Ceil(scaled)
	if near := math.Round(scaled); math.Abs(scaled-near) < 1e-9*max(1, near) {
		up = near // 0.1 is not exactly a tenth
	}
	up = math.Copysign(min(up, most*10_000), x)
	d, err := types.NewDecimal(int64(up), -4)
	if err != nil {
		panic(err) // bounded above
	}
	return d
}
