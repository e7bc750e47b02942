package sqlite

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
)

// objectOf reads the JSON of an object. The form that encoding/json writes is read in one pass, whose strings are parts of the text; any other is left to
// that package, with the same result.
func objectOf(text string) (o ctxmcp.ContextObject, err error) {
	f := form{rest: text}
	if utf8.ValidString(text) && f.members(func(name string) bool { m := objectMembers[name]; return m != nil && m(&f, &o) }) && f.rest == "" {
		return o, nil
	}
	o = ctxmcp.ContextObject{}
	err = json.Unmarshal([]byte(text), &o)
	return o, err
}

// member reads the value of a member of an object, and reports whether it has the usual form.
type member func(*form, *ctxmcp.ContextObject) bool

// objectMembers has a row for each member of an object.
var objectMembers = map[string]member{
	"object_id":               asText(func(o *ctxmcp.ContextObject) *string { return &o.ObjectID }),
	"content":                 asText(func(o *ctxmcp.ContextObject) *string { return &o.Content }),
	"normalized_claim":        asText(func(o *ctxmcp.ContextObject) *string { return &o.NormalizedClaim }),
	"object_type":             asText(func(o *ctxmcp.ContextObject) *ctxmcp.ObjectType { return &o.ObjectType }),
	"canonical_entity_ids":    asTexts(func(o *ctxmcp.ContextObject) *[]string { return &o.CanonicalEntityIDs }),
	"aliases":                 asTexts(func(o *ctxmcp.ContextObject) *[]string { return &o.Aliases }),
	"source_origin":           asText(func(o *ctxmcp.ContextObject) *string { return &o.SourceOrigin }),
	"source_authority":        asNumber(func(o *ctxmcp.ContextObject) *float64 { return &o.SourceAuthority }),
	"confidence_score":        asNumber(func(o *ctxmcp.ContextObject) *float64 { return &o.ConfidenceScore }),
	"security_classification": asText(func(o *ctxmcp.ContextObject) *ctxmcp.Classification { return &o.Classification }),
	"permission_scope":        asRare(func(o *ctxmcp.ContextObject) any { return &o.PermissionScope }),
	"tenant_id":               asText(func(o *ctxmcp.ContextObject) *string { return &o.TenantID }),
	"user_id":                 asText(func(o *ctxmcp.ContextObject) *string { return &o.UserID }),
	"project_id":              asText(func(o *ctxmcp.ContextObject) *string { return &o.ProjectID }),
	"session_id":              asText(func(o *ctxmcp.ContextObject) *string { return &o.SessionID }),
	"valid_from":              asMoment(func(o *ctxmcp.ContextObject) *time.Time { return &o.ValidFrom }),
	"valid_until":             asMoment(func(o *ctxmcp.ContextObject) *time.Time { return &o.ValidUntil }),
	"tx_start":                asMoment(func(o *ctxmcp.ContextObject) *time.Time { return &o.TxStart }),
	"tx_end":                  asMoment(func(o *ctxmcp.ContextObject) *time.Time { return &o.TxEnd }),
	"last_confirmed":          asMoment(func(o *ctxmcp.ContextObject) *time.Time { return &o.LastConfirmed }),
	"last_used":               asMoment(func(o *ctxmcp.ContextObject) *time.Time { return &o.LastUsed }),
	"why_it_matters":          asText(func(o *ctxmcp.ContextObject) *string { return &o.WhyItMatters }),
	"applicable_task_types":   asTexts(func(o *ctxmcp.ContextObject) *[]ctxmcp.TaskType { return &o.ApplicableTaskTypes }),
	"behavioral_implication":  asText(func(o *ctxmcp.ContextObject) *string { return &o.BehavioralImplication }),
	"contradiction_status":    asText(func(o *ctxmcp.ContextObject) *ctxmcp.ContradictionStatus { return &o.ContradictionStatus }),
	"supersession_link":       asText(func(o *ctxmcp.ContextObject) *string { return &o.SupersessionLink }),
	"decay_rule":              asRare(func(o *ctxmcp.ContextObject) any { return &o.DecayRule }),
	"update_path":             asText(func(o *ctxmcp.ContextObject) *string { return &o.UpdatePath }),
	"retirement_rule":         asText(func(o *ctxmcp.ContextObject) *ctxmcp.RetirementRule { return &o.RetirementRule }),
	"fact_id":                 asText(func(o *ctxmcp.ContextObject) *string { return &o.FactID }),
	"version":                 asWhole(func(o *ctxmcp.ContextObject) *int { return &o.Version }),
	"layer":                   asText(func(o *ctxmcp.ContextObject) *ctxmcp.Layer { return &o.Layer }),
	"task_id":                 asText(func(o *ctxmcp.ContextObject) *string { return &o.TaskID }),
	"claim":                   readClaim,
	"source_kind":             asText(func(o *ctxmcp.ContextObject) *ctxmcp.SourceKind { return &o.SourceKind }),
	"authority_level":         asWhole(func(o *ctxmcp.ContextObject) *ctxmcp.Authority { return &o.Authority }),
	"author":                  asText(func(o *ctxmcp.ContextObject) *string { return &o.Author }),
	"observed_at":             asMoment(func(o *ctxmcp.ContextObject) *time.Time { return &o.ObservedAt }),
	"derived_from":            asTexts(func(o *ctxmcp.ContextObject) *[]string { return &o.DerivedFrom }),
	"origin_domains":          asTexts(func(o *ctxmcp.ContextObject) *[]string { return &o.Domains }),
	"archived":                asBool(func(o *ctxmcp.ContextObject) *bool { return &o.Archived }),
	"claim_extracted":         asBool(func(o *ctxmcp.ContextObject) *bool { return &o.ClaimExtracted }),
	"ending":                  asBool(func(o *ctxmcp.ContextObject) *bool { return &o.Ending }),
	"matters":                 asTexts(func(o *ctxmcp.ContextObject) *[]string { return &o.Matters }),
	"maybe_outdated_by":       asText(func(o *ctxmcp.ContextObject) *string { return &o.MaybeOutdatedBy }),
	"closing":                 asRare(func(o *ctxmcp.ContextObject) any { return &o.Closing }),
}

func asText[T ~string](of func(*ctxmcp.ContextObject) *T) member {
	return func(f *form, o *ctxmcp.ContextObject) (ok bool) {
		*of(o), ok = quoted[T](f)
		return ok
	}
}

func asTexts[T ~string](of func(*ctxmcp.ContextObject) *[]T) member {
	return func(f *form, o *ctxmcp.ContextObject) bool {
		if f.skip("null") {
			return true
		}
		if !f.skip("[") {
			return false
		}
		list := of(o)
		*list = []T{}
		if f.skip("]") {
			return true
		}
		for {
			one, ok := quoted[T](f)
			if !ok {
				return false
			}
			*list = append(*list, one)
			if f.skip("]") {
				return true
			}
			if !f.skip(",") {
				return false
			}
		}
	}
}

func asNumber(of func(*ctxmcp.ContextObject) *float64) member {
	return func(f *form, o *ctxmcp.ContextObject) bool {
		n, err := strconv.ParseFloat(f.number(), 64)
		*of(o) = n
		return err == nil
	}
}

func asWhole[T ~int](of func(*ctxmcp.ContextObject) *T) member {
	return func(f *form, o *ctxmcp.ContextObject) bool {
		n, err := strconv.Atoi(f.number())
		*of(o) = T(n)
		return err == nil
	}
}

func asMoment(of func(*ctxmcp.ContextObject) *time.Time) member {
	return func(f *form, o *ctxmcp.ContextObject) bool {
		text, ok := f.text()
		return ok && of(o).UnmarshalText([]byte(text)) == nil
	}
}

func asBool(of func(*ctxmcp.ContextObject) *bool) member {
	return func(f *form, o *ctxmcp.ContextObject) bool {
		*of(o) = f.skip("true")
		return *of(o) || f.skip("false")
	}
}

// asRare reads what few objects have by encoding/json; an empty one leaves it as it is.
func asRare(of func(*ctxmcp.ContextObject) any) member {
	return func(f *form, o *ctxmcp.ContextObject) bool {
		if f.skip("{}") {
			return true
		}
		d := json.NewDecoder(strings.NewReader(f.rest))
		if !strings.HasPrefix(f.rest, "{") || d.Decode(of(o)) != nil {
			return false
		}
		f.rest = f.rest[d.InputOffset():]
		return true
	}
}

func readClaim(f *form, o *ctxmcp.ContextObject) bool {
	return f.members(func(name string) (ok bool) {
		switch name {
		case "subject":
			o.Claim.Subject, ok = f.text()
		case "predicate":
			o.Claim.Predicate, ok = f.text()
		case "value":
			o.Claim.Value, ok = f.text()
		}
		return ok
	})
}

// form is JSON as encoding/json writes it, without spaces, from where it has been read to. Each of its methods reads on.
type form struct{ rest string }

// skip reads a part of the text, and reports whether it is there.
func (f *form) skip(part string) (found bool) {
	f.rest, found = strings.CutPrefix(f.rest, part)
	return found
}

// members reads an object: value reads the value of each member, and reports whether it could.
func (f *form) members(value func(name string) bool) bool {
	if !f.skip("{") {
		return false
	}
	if f.skip("}") {
		return true
	}
	for {
		name, ok := f.text()
		if !ok || !f.skip(":") || !value(name) {
			return false
		}
		if f.skip("}") {
			return true
		}
		if !f.skip(",") {
			return false
		}
	}
}

// text reads a string.
func (f *form) text() (string, bool) { return quoted[string](f) }

func quoted[T ~string](f *form) (T, bool) {
	if !strings.HasPrefix(f.rest, `"`) {
		return "", false
	}
	for i := 1; i < len(f.rest); i++ {
		switch c := f.rest[i]; {
		case c == '"':
			text := f.rest[1:i]
			f.rest = f.rest[i+1:]
			return T(text), true
		case c == '\\':
			return escaped[T](f, i)
		case c < ' ':
			return "", false
		}
	}
	return "", false
}

// escaped reads a string whose first escape is at a place.
func escaped[T ~string](f *form, i int) (text T, ok bool) {
	for ; i < len(f.rest); i++ {
		switch f.rest[i] {
		case '\\':
			i++
		case '"':
			err := json.Unmarshal([]byte(f.rest[:i+1]), &text)
			f.rest = f.rest[i+1:]
			return text, err == nil
		}
	}
	return "", false
}

// number reads the text of a number; "" for anything else.
func (f *form) number() string {
	n := 0
	for n < len(f.rest) && strings.IndexByte("0123456789+-.eE", f.rest[n]) >= 0 {
		n++
	}
	text := f.rest[:n]
	f.rest = f.rest[n:]
	return text
}
