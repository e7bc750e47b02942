package quota

import (
	"cmp"
	"context"
	"slices"

	"github.com/ctx-mcp/ctx-mcp"
)

// Name names one quota. The words are written in configuration files, in errors and in metrics: append only.
type Name string

// The quotas. Each counts everything that a tenant's users have stored.
const (
	Memories       Name = "memories"        // versions of memories, their history too, until they are erased
	ArtifactBytes  Name = "artifact_bytes"  // bytes of artifacts, 1024 more for each, and those of kept originals
	ActionSessions Name = "action_sessions" // sessions of actions, ended ones too, until their time is over
	ActionBytes    Name = "action_bytes"    // bytes of the records of those sessions
	Packets        Name = "packets"         // packets of what models were shown
	Reviews        Name = "reviews"         // questions about memories and names that wait for a person
)

// about is one quota in words.
type about struct {
	name   Name
	counts string // "the tenant holds 5 of 5 ..."
	room   string // how the caller frees room
}

var table = []about{
	{Memories, "versions of memories", "hard_delete memories that are no longer needed with forget: a version counts, its history too, until it is erased"},
	{ArtifactBytes, "bytes of artifacts", "room comes when artifacts are retired, by age and by number in a session; keep less, or smaller results"},
	{ActionSessions, "sessions of actions", "room comes when old sessions are removed after their time; go on in a session that is open"},
	{ActionBytes, "bytes of records of actions", "room comes when old sessions are removed after their time; record shorter results"},
	{Packets, "packets", "room comes when packets are retired, by age and by number in a session; compile less often"},
	{Reviews, "questions that wait for a person", "have the user settle what waits, with review or ctx-mcp review"},
}

// Names lists the vocabulary.
func Names() []Name {
	names := make([]Name, len(table))
	for i, a := range table {
		names[i] = a.name
	}
	return names
}

// Limits says how much a tenant may hold of each. A quota that is absent, or 0, is unlimited.
type Limits map[Name]int64

// Claim is the amount that a write would add to a quota.
type Claim struct {
	Tenant  string
	Name    Name
	Add     int64
	Correct bool // the write ends the version that it replaces, so it may use the reserve
}

// Check returns a CodeTooLarge Error if the claim does not fit beside the use so far. A claim of nothing always fits.
func (l Limits) Check(c Claim, used int64) error {
	limit := l[c.Name]
	if limit <= 0 || c.Add <= 0 {
		return nil
	}
	most := limit
	if c.Correct {
		most += (limit + 9) / 10
	}
	if used <= most && c.Add <= most-used { // the sum may not fit an int64
		return nil
	}
	i := slices.IndexFunc(table, func(a about) bool { return a.name == c.Name })
	return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "over the quota %s: the tenant holds %d of %d %s, and this adds %d", c.Name, used, limit, table[i].counts, c.Add).
		WithHint("%s; or the operator raises quotas.%s", table[i].room, c.Name)
}

// Use is how much a tenant holds.
type Use struct {
	Tenant string
	Name   Name
	Used   int64
}

// Compare orders uses by tenant, then by name.
func Compare(a, b Use) int {
	return cmp.Or(cmp.Compare(a.Tenant, b.Tenant), cmp.Compare(a.Name, b.Name))
}

// Ledger knows how much each tenant holds.
type Ledger interface {
	// Usage returns how much every tenant holds, in the order of Compare, without the zeros.
	Usage(ctx context.Context) ([]Use, error)
}

// Room tells before a write whether there is room for it now, so that nothing that has to be written first, such as the bytes of a
// blob, is written in vain. The write is checked all the same.
type Room interface {
	// Room returns the error of the first claim that does not fit now, nil if all do.
	Room(ctx context.Context, claims ...Claim) error
}
