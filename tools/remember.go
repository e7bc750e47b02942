package tools

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/containment"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/entities"
	"github.com/ctx-mcp/ctx-mcp/schema"
)

func remember() Tool {
	return define(definition{
		name: "remember", title: "Remember", toolset: MemoryTools,
		terms: schema.Vocabulary(schema.Vocabulary(schema.Terms{}, ctxmcp.Layers()), entities.Verdicts()),
	}, func(ctx context.Context, c call, in rememberIn) (rememberOut, error) {
		r, err := once(ctx, c, func() (memory.Remembered, error) { return c.Memory.Remember(ctx, c.by, in.draft(c.at)) })
		if err == nil && r.Review != "" {
			r, err = c.decideAbout(ctx, r)
		}
		out := rememberedOut(r)
		out.unstated = in.Source.Kind == "" && (r.Status == memory.Stored || r.Status == memory.Superseded)
		return out, err
	})
}

type rememberIn struct {
	Content               string                  `json:"content" holds:"text"`
	Author                string                  `json:"author,omitempty" holds:"text" for:"harness"`
	ObservedAt            Time                    `json:"observed_at,omitzero" for:"harness"`
	ObjectType            ctxmcp.ObjectType       `json:"object_type,omitempty"`
	Claim                 *ctxmcp.Claim           `json:"claim,omitempty" holds:"text"`
	WhyItMatters          string                  `json:"why_it_matters,omitempty" holds:"text"`
	TaskTypes             []ctxmcp.TaskType       `json:"task_types,omitempty" for:"harness"`
	BehavioralImplication string                  `json:"behavioral_implication,omitempty" holds:"text" for:"harness"`
	Source                sourceIn                `json:"source,omitzero"`
	Level                 ctxmcp.Layer            `json:"level,omitempty" jsonschema_description:"Default project"`
	Classification        ctxmcp.Classification   `json:"classification,omitempty" for:"harness"`
	Permissions           *ctxmcp.PermissionScope `json:"permissions,omitempty" for:"harness"`
	ValidFrom             Time                    `json:"valid_from,omitzero" for:"harness"`
	ValidUntil            Time                    `json:"valid_until,omitzero"`
	Supersedes            string                  `json:"supersedes,omitempty"`
	Decay                 *ctxmcp.DecayRule       `json:"decay,omitempty" for:"harness"`
	RetirementRule        ctxmcp.RetirementRule   `json:"retirement_rule,omitempty" for:"harness"`
	UpdatePath            string                  `json:"update_path,omitempty" holds:"text" jsonschema_description:"URI of the truth" for:"harness"`
	DerivedFrom           []string                `json:"derived_from,omitempty" for:"harness"`
	IdempotencyKey        string                  `json:"idempotency_key,omitempty" for:"harness"`
	home
}

type sourceIn struct {
	Kind       ctxmcp.SourceKind `json:"kind,omitempty"`
	Origin     string            `json:"origin,omitempty" holds:"text"`
	Confidence *float64          `json:"confidence,omitempty" for:"harness"`
}

func (in rememberIn) draft(at ctxmcp.Scope) memory.Draft {
	d := memory.Draft{
		Content: in.Content, Author: in.Author, ObservedAt: time.Time(in.ObservedAt), ObjectType: in.ObjectType,
		WhyItMatters: in.WhyItMatters, TaskTypes: in.TaskTypes, BehavioralImplication: in.BehavioralImplication,
		Source: memory.Source(in.Source), Level: in.Level, Classification: in.Classification,
		ValidFrom: time.Time(in.ValidFrom), ValidUntil: time.Time(in.ValidUntil), Supersedes: in.Supersedes,
		Decay: in.Decay, RetirementRule: in.RetirementRule, UpdatePath: in.UpdatePath, DerivedFrom: in.DerivedFrom,
		IdempotencyKey: in.IdempotencyKey, Scope: at,
	}
	if in.Claim != nil {
		d.Claim = *in.Claim
	}
	if in.Permissions != nil {
		d.Permissions = *in.Permissions
	}
	return d
}

type rememberOut struct {
	Status     memory.Status  `json:"status"`
	ObjectID   string         `json:"object_id,omitempty"` // of what was stored or confirmed
	FactID     string         `json:"fact_id,omitempty"`
	Version    int            `json:"version,omitempty"`
	Namespace  string         `json:"namespace,omitempty"`
	Reason     string         `json:"reason"`
	Redactions []redactionOut `json:"redactions,omitempty"`
	Entities   []entityOut    `json:"entities,omitempty"`
	Displaced  []displacedOut `json:"displaced,omitempty"`
	Similar    []similarOut   `json:"similar,omitempty"`
	Claims     []slotOut      `json:"subject_claims,omitempty"`
	RecordedAt Time           `json:"recorded_at,omitzero"`
	Warnings   []string       `json:"warnings,omitempty"`
	ReviewID   string         `json:"review_id,omitempty"`

	waits    bool // nobody must decide now
	unstated bool // whose word it is was not said
}

// lines implements told.
func (o rememberOut) lines() string {
	all := []string{string(o.Status) + ": " + o.Reason}
	if o.ObjectID != "" {
		all[0] = fmt.Sprintf("%s [%s] in %s: %s", o.Status, ctxmcp.ShortID(o.ObjectID), o.Namespace, o.Reason)
	}
	for _, d := range o.Displaced {
		all = append(all, fmt.Sprintf("displaced [%s], which is %s now: %s", ctxmcp.ShortID(d.ObjectID), d.ContradictionStatus, containment.OneLine(d.Content)))
	}
	for _, s := range o.Similar {
		all = append(all, s.line())
	}
	for _, c := range o.Claims {
		all = append(all, fmt.Sprintf("the subject has [%s] %s: %s", ctxmcp.ShortID(c.ObjectID), containment.OneLine(c.Predicate), containment.OneLine(c.Value)))
	}
	for _, r := range o.Redactions {
		all = append(all, r.line())
	}
	for _, e := range o.Entities {
		if e.Decision == entities.Undecided {
			all = append(all, fmt.Sprintf("%s may be somebody or something that is known already by a like name: review asks which", containment.OneLine(e.Mention)))
		}
	}
	switch {
	case o.waits:
		all = append(all, "whether it takes the place of what it competes with is for the user to say: review "+o.ReviewID)
	case o.ReviewID != "":
		all = append(all, "the user must decide: review "+o.ReviewID)
	}
	if o.unstated {
		all = append(all, "kept as an agent's note: no source was given")
	}
	return strings.Join(append(all, o.Warnings...), "\n")
}

type redactionOut struct {
	Label string `json:"label"`
	Count int    `json:"count"`
}

// line says in words what was not kept.
func (r redactionOut) line() string {
	name := strings.ToLower(strings.ReplaceAll(r.Label, "_", " "))
	if r.Count == 1 {
		return fmt.Sprintf("the %s itself was not kept: tell the user", name)
	}
	return fmt.Sprintf("%d values were not kept themselves (%s): tell the user", r.Count, name)
}

type entityOut struct {
	Mention  string           `json:"mention"`
	EntityID string           `json:"entity_id"`
	Decision entities.Verdict `json:"decision"`
	Score    float64          `json:"score"`
}

// similarTitles says how something held is similar, for a reader.
var similarTitles = map[memory.SimilarBy]string{
	memory.Duplicate: "nearly the same is held", memory.SameSubject: "also held of it", memory.Contradicts: "may be outdated by this",
}

type similarOut struct {
	ObjectID   string           `json:"object_id"`
	Content    string           `json:"content"`
	Relation   memory.SimilarBy `json:"relation"`
	RecordedAt Time             `json:"recorded_at"`
	// OutdatedPart has the words that no longer hold, where the rest does.
	OutdatedPart string `json:"outdated_part,omitempty"`
}

// line says how it is similar, and which part of it holds on.
func (s similarOut) line() string {
	title := similarTitles[s.Relation]
	if s.OutdatedPart != "" {
		title = fmt.Sprintf("\"%s\" may hold no longer, and the rest still does", containment.OneLine(s.OutdatedPart))
	}
	return fmt.Sprintf("%s [%s]: %s", title, ctxmcp.ShortID(s.ObjectID), containment.OneLine(s.Content))
}

type slotOut struct {
	ObjectID  string `json:"object_id"`
	Predicate string `json:"predicate"`
	Value     string `json:"value"`
}

type displacedOut struct {
	ObjectID            string                     `json:"object_id"`
	Content             string                     `json:"content"`
	ContradictionStatus ctxmcp.ContradictionStatus `json:"contradiction_status"`
}

func rememberedOut(r memory.Remembered) rememberOut {
	out := rememberOut{
		Status: r.Status, ObjectID: r.ObjectID, FactID: r.FactID, Version: r.Version, Namespace: r.Namespace,
		Reason: r.Reason, RecordedAt: Time(r.RecordedAt), Warnings: r.Warnings, ReviewID: cmp.Or(r.Review, r.Waits), waits: r.Review == "" && r.Waits != "",
	}
	for _, f := range r.Redactions {
		out.Redactions = append(out.Redactions, redactionOut{Label: f.Label, Count: f.Count})
	}
	for _, e := range r.Entities {
		out.Entities = append(out.Entities, entityOut{e.Mention, e.EntityID, e.Decision, ctxmcp.Round(e.Score)})
	}
	for _, d := range r.Displaced {
		out.Displaced = append(out.Displaced, displacedOut{d.ObjectID, d.Content, d.Status})
	}
	for _, c := range r.Claims {
		out.Claims = append(out.Claims, slotOut(c))
	}
	for _, s := range r.Similar {
		out.Similar = append(out.Similar, similarOut{s.ObjectID, s.Content, s.Relation, Time(s.RecordedAt), s.OutdatedPart})
	}
	return out
}
