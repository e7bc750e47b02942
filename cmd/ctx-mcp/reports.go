package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
	"github.com/ctx-mcp/ctx-mcp/gateway"
	"github.com/ctx-mcp/ctx-mcp/gateway/credentials"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/memory/exchange"
	"github.com/ctx-mcp/ctx-mcp/packets"
	"github.com/ctx-mcp/ctx-mcp/receipts"
	"github.com/ctx-mcp/ctx-mcp/serve/access"
)

// jsonFlag adds --json to a command that prints.
func jsonFlag(cmd *cobra.Command, asJSON *bool) {
	cmd.Flags().BoolVar(asJSON, "json", false, "print JSON, for programs")
}

// answer prints what a command did: as JSON for programs, or the sentence for people.
func answer(sys *system, asJSON bool, report any, sentence string, args ...any) error {
	if asJSON {
		return writeJSON(sys.out, report)
	}
	_, err := fmt.Fprintf(sys.out, sentence+"\n", args...)
	return err
}

// tokenReport is a token as JSON, without its secret.
type tokenReport struct {
	ID        string     `json:"id"`
	State     string     `json:"state"`
	Tenant    string     `json:"tenant"`
	User      string     `json:"user"`
	Roles     []string   `json:"roles"`
	Projects  []string   `json:"projects"` // empty: any
	Clearance string     `json:"clearance"`
	Authority int        `json:"authority"`
	Created   time.Time  `json:"created"`
	Expires   *time.Time `json:"expires,omitempty"`
	Name      string     `json:"name,omitempty"`
}

func reportOfToken(t access.Token, now time.Time) tokenReport {
	r := tokenReport{ID: t.ID, State: string(t.State(now)), Tenant: t.Caller.Tenant, User: t.Caller.User, Roles: append([]string{}, t.Caller.Roles...),
		Projects: append([]string{}, t.Caller.Projects...), Clearance: string(t.Caller.Clearance), Authority: int(t.Caller.Authority), Created: t.Created, Name: t.Name}
	if !t.Expires.IsZero() {
		r.Expires = &t.Expires
	}
	return r
}

// openQuestion is an action or a question about memories that waits for a person, as JSON.
type openQuestion struct {
	ID        string            `json:"id"`
	Kind      string            `json:"kind"` // action, or the kind of a review
	Question  string            `json:"question"`
	Decisions []string          `json:"decisions"`
	Sides     []questionSide    `json:"candidates,omitempty"`
	Action    *actionInQuestion `json:"action,omitempty"`
}

// questionSide is one of the things that a review asks about.
type questionSide struct {
	ID      string    `json:"id"`
	Name    string    `json:"name,omitempty"`
	Content string    `json:"content"`
	Origin  string    `json:"source_origin"`
	Told    time.Time `json:"recorded_at"`
}

// actionInQuestion is the action that waits.
type actionInQuestion struct {
	Session    string           `json:"session_id"`
	Action     string           `json:"action_id"`
	Tool       string           `json:"tool"`
	Operation  string           `json:"operation"`
	Parameters any              `json:"parameters"`
	Request    string           `json:"original_request"`
	Verdict    string           `json:"verdict"`
	Rule       string           `json:"rule"`
	Findings   []ctxmcp.Finding `json:"findings,omitempty"`
	After      []string         `json:"after,omitempty"` // waiting actions that are to be decided first
	Until      time.Time        `json:"until"`           // it is denied then
}

func questionOfAction(p actions.Pending) openQuestion {
	q := openQuestion{ID: p.ID, Kind: "action", Question: p.Why, Action: &actionInQuestion{p.Session, p.Action, p.Tool, p.Operation, p.Parameters, p.Request,
		string(p.Verdict), p.Rule, p.Findings, p.After, p.Until}}
	for _, c := range actions.Choices() {
		q.Decisions = append(q.Decisions, string(c))
	}
	return q
}

func questionOfReview(i memory.ReviewItem) openQuestion {
	q := openQuestion{ID: i.ID, Kind: string(i.Kind), Question: i.Question, Decisions: append([]string{}, i.Decisions...)}
	for _, c := range i.Candidates {
		q.Sides = append(q.Sides, questionSide{c.ID, c.Name, c.Object.Content, c.Object.SourceOrigin, c.Object.TxStart})
	}
	return q
}

// entityReport is an entity as JSON.
type entityReport struct {
	ID        string           `json:"id"`
	Name      string           `json:"name"`
	Kind      string           `json:"kind"`
	State     string           `json:"state"`
	Also      []nameReport     `json:"also,omitempty"`
	Relations []relationReport `json:"relations,omitempty"`
}

// nameReport is another name of an entity.
type nameReport struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// relationReport is a claim that names an entity.
type relationReport struct {
	Predicate string `json:"predicate"`
	Object    string `json:"object_id"`
	Content   string `json:"content"`
}

func reportOfEntity(e memory.Entity, relations []memory.Relation) entityReport {
	r := entityReport{ID: e.Root.ID, Name: e.Root.Name, Kind: string(e.Root.Kind), State: string(e.Root.State)}
	for _, n := range e.Names {
		if n.ID != e.Root.ID {
			r.Also = append(r.Also, nameReport{n.ID, n.Name})
		}
	}
	for _, l := range relations {
		r.Relations = append(r.Relations, relationReport{l.Predicate, l.Object.ObjectID, l.Object.Content})
	}
	return r
}

// verifiedReport is a bundle that is valid, as JSON.
type verifiedReport struct {
	Valid bool `json:"valid"`
	receipts.Verified
}

// importReport is what an import did, as JSON. Of context objects the counts of another system are left out.
type importReport struct {
	DryRun      bool            `json:"dry_run,omitempty"`
	Read        int             `json:"read"`
	Imported    int             `json:"imported"`
	Held        int             `json:"held_already"`
	Erased      int             `json:"erased_here,omitempty"`
	Redacted    int             `json:"redacted"`
	Replaced    int             `json:"replaced,omitempty"`
	Quarantined int             `json:"quarantined,omitempty"`
	Unclaimed   int             `json:"without_claim,omitempty"`
	Refused     []refusedReport `json:"refused,omitempty"`
}

// refusedReport is a line of a file that was not stored.
type refusedReport struct {
	Line   int    `json:"line"`
	Reason string `json:"reason"`
}

func reportOfAdopted(r exchange.Adopted, dry bool) importReport {
	report := importReport{DryRun: dry, Read: r.Read, Imported: r.Stored, Held: r.Held, Redacted: r.Redacted, Replaced: r.Replaced,
		Quarantined: r.Quarantined, Unclaimed: r.Unclaimed}
	for _, refusal := range r.Refused {
		report.Refused = append(report.Refused, refusedReport{refusal.Line, refusal.Reason})
	}
	return report
}

// sweepReport is what gc ended, or with a dry run would end, as JSON.
type sweepReport struct {
	DryRun    bool           `json:"dry_run,omitempty"`
	Due       *int           `json:"memories_to_look_at,omitempty"` // of a dry run
	Memories  map[string]int `json:"memories,omitempty"`            // by retirement rule
	Packets   []endedReport  `json:"packets"`
	Artifacts []endedReport  `json:"artifacts"`
	Orphans   int            `json:"bytes_without_artifact"` // how many
	Bytes     int64          `json:"bytes"`                  // of these, on disk
}

// endedReport is one thing that has had its time.
type endedReport struct {
	ID  string `json:"id"`
	Why string `json:"why"`
}

// caseReport is a case of a policy, as JSON.
type caseReport struct {
	File    string `json:"file"`
	Name    string `json:"name"`
	Passed  bool   `json:"passed"`
	Verdict string `json:"verdict"`
	Rule    string `json:"rule"`
	Why     string `json:"why"`
	Wrong   string `json:"wrong,omitempty"`
}

// createdToken is a new token as JSON: the only place where its secret is told.
type createdToken struct {
	tokenReport
	Token string `json:"token"`
}

// decided is a decision that was carried out, as JSON.
type decided struct {
	ID       string `json:"id"`
	Decision string `json:"decision"`
	Effect   string `json:"effect,omitempty"`
	Receipt  string `json:"receipt_id,omitempty"` // of an action
}

// keyReport is a key that signs receipts, as JSON.
type keyReport struct {
	ID      string `json:"id"`
	Private bool   `json:"private"` // its private half is here
}

// rotatedReport is the receipt of a new key, as JSON.
type rotatedReport struct {
	Index    int64  `json:"receipt"`
	SignedBy string `json:"signed_by"`
}

// rulesReport is a set of rules that is sound, as JSON.
type rulesReport struct {
	Rules   int    `json:"rules"`
	Default string `json:"default"`
	Digest  string `json:"digest"`
}

// versionReport is this program, as JSON.
type versionReport struct {
	Version  string `json:"version"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
	SQLite   string `json:"sqlite"`
}

// provenReport is the proof of a bundle, as JSON.
type provenReport struct {
	Ref         string               `json:"context_ref"`
	Holds       bool                 `json:"holds"`
	Checks      []proofReport        `json:"checks"`
	Differences []packets.Difference `json:"differences,omitempty"`
}

// proofReport is one thing that was proved, or was not.
type proofReport struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
}

func reportOfReplay(r packets.Replayed) provenReport {
	report := provenReport{Ref: r.Ref, Holds: r.Valid(), Differences: r.Differences}
	for _, c := range r.Checks {
		report.Checks = append(report.Checks, proofReport(c))
	}
	return report
}

// serverReport is a server behind the gateway, as JSON.
type serverReport struct {
	Server    string      `json:"server"`
	Tools     int         `json:"tools"`
	HeldBack  int         `json:"held_back"`
	Prompts   int         `json:"prompts"`
	Resources int         `json:"resources"`
	Prefixed  []string    `json:"prefixed,omitempty"` // tools that could not keep their own names
	Seen      *time.Time  `json:"seen,omitempty"`     // none: never
	Error     string      `json:"error,omitempty"`
	SignIns   []dueReport `json:"sign_ins_due,omitempty"`
}

// dueReport is a sign-in that has to be made again, as JSON; without a user it is that of the gateway itself.
type dueReport struct {
	User    string   `json:"user,omitempty"`
	RunOut  bool     `json:"run_out,omitempty"`
	Scopes  []string `json:"scopes,omitempty"` // for which the server has refused a call
	Command string   `json:"command"`
}

func reportOfServer(s gateway.Status, dues []credentials.Due) serverReport {
	r := serverReport{Server: s.Server, Tools: s.Tools, HeldBack: s.HeldBack, Prompts: s.Prompts, Resources: s.Resources, Prefixed: s.Prefixed, Error: s.Error}
	if !s.Seen.IsZero() {
		r.Seen = &s.Seen
	}
	for _, d := range dues {
		r.SignIns = append(r.SignIns, dueReport{d.Holder.User, d.Over, d.Wanted, d.Holder.SignIn(s.Server)})
	}
	return r
}

// heldBackReport is a tool that is not offered, as JSON, with its definition as it was pinned and as it is.
type heldBackReport struct {
	Name  string   `json:"name"`
	Why   string   `json:"why"`
	Kinds []string `json:"instructions,omitempty"`
	Was   string   `json:"pinned,omitempty"`
	Is    string   `json:"now"`
}

// clientReport is a client of this machine, as JSON.
type clientReport struct {
	Client string `json:"client"`
	Scope  string `json:"scope"`
	State  string `json:"state"`
	Path   string `json:"path"`
}

// approvedReport is a tool that may be offered, or that would be, as JSON.
type approvedReport struct {
	Name     string `json:"name"`
	Approved bool   `json:"approved"`
}

// signedOutReport is a sign-in that has ended, as JSON.
type signedOutReport struct {
	Server string `json:"server"`
	There  string `json:"there"` // the state of its tokens at the authorization server
}

// rekeyedReport is a change of keys as JSON.
type rekeyedReport struct {
	Key     bool `json:"key"`     // the data keys are sealed under another key
	Renewed bool `json:"renewed"` // there is a new data key
}
