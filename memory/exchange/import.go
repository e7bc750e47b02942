package exchange

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// ImportOptions says how an input is taken. Only Redact is required.
type ImportOptions struct {
	Tenant  string // the only tenant that the input may name; "": any
	Rewrite bool   // every version becomes Tenant's, also if the input names another tenant
	// Redact hides the secrets of a text of the tenant. It is asked about every free text before anything is stored,
	// and must leave alone its own placeholders.
	Redact redact.Func
	DryRun bool             // everything but the storing
	Now    func() time.Time // of the audit trail; nil: time.Now
	// Erased returns the ids of the objects of a tenant that its user has erased here: their versions are left out. nil: none is.
	Erased   func(ctx context.Context, tenant, user string) (map[string]bool, error)
	Progress func(done int) // called after each line with the number of versions read; it may be nil
}

// Report counts the versions of an input by their outcome. Identical lines count once; Read is Imported plus Unchanged plus Erased.
type Report struct {
	Read      int
	Imported  int // stored; under DryRun, those that would be
	Unchanged int // held already
	Erased    int // left out: their objects were erased here
	Redacted  int // of those read: held a secret, which was hidden
}

// Import stores the versions of the input, all of them or none, in the form that Export writes. A version that the store
// holds with the same content stays as it is.
//
// It returns CodeInvalid and CodeTooLarge for a line that is refused, with its number and field; CodeConflict for a
// version that the store holds with other content, with its line and object id; and otherwise the error of the reader or
// the store.
func Import(ctx context.Context, store memory.Store, r io.Reader, o ImportOptions) (Report, error) {
	report, err := importAll(ctx, store, r, o)
	if err != nil {
		return Report{}, fmt.Errorf("import: %w", err)
	}
	return report, nil
}

func importAll(ctx context.Context, store memory.Store, r io.Reader, o ImportOptions) (Report, error) {
	if err := o.check(); err != nil {
		return Report{}, err
	}
	in, err := readInput(ctx, r, o)
	if err != nil {
		return Report{}, err
	}
	fresh, err := missing(ctx, store, in.versions)
	if err != nil {
		return Report{}, err
	}
	report := Report{Read: len(in.versions), Unchanged: len(in.versions) - len(fresh), Redacted: in.redacted}
	all := len(fresh)
	if fresh, err = o.withoutErased(ctx, fresh); err != nil {
		return Report{}, err
	}
	report.Imported, report.Erased = len(fresh), all-len(fresh)
	if o.DryRun || len(fresh) == 0 {
		return report, nil
	}
	return report, store.Apply(ctx, change(fresh, o.now()))
}

func (o ImportOptions) check() error {
	switch {
	case o.Redact == nil:
		return errors.New("nothing redacts what is imported")
	case o.Tenant != "" && !ctxmcp.ValidID(o.Tenant):
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "the tenant is not an id")
	case o.Rewrite && o.Tenant == "":
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "no tenant is named to rewrite to")
	}
	return nil
}

func (o ImportOptions) now() time.Time {
	if o.Now == nil {
		return ctxmcp.Instant(time.Now())
	}
	return ctxmcp.Instant(o.Now())
}

// change returns the write that stores the versions, with a line in the audit trail of each tenant.
func change(fresh []ctxmcp.ContextObject, now time.Time) memory.Change {
	counts := map[string]int{}
	for _, o := range fresh {
		counts[o.TenantID]++
	}
	c := memory.Change{Insert: fresh}
	for _, tenant := range slices.Sorted(maps.Keys(counts)) {
		c.Audit = append(c.Audit, memory.Event{
			At: now, Tenant: tenant, Action: "import", Detail: fmt.Sprintf("versions: %d", counts[tenant]),
		})
	}
	return c
}

// withoutErased returns the versions without those of objects that were erased here.
func (o ImportOptions) withoutErased(ctx context.Context, fresh []ctxmcp.ContextObject) ([]ctxmcp.ContextObject, error) {
	if o.Erased == nil {
		return fresh, nil
	}
	erased := map[[2]string]map[string]bool{} // by tenant and user
	var kept []ctxmcp.ContextObject
	for _, v := range fresh {
		of := [2]string{v.TenantID, v.UserID}
		if erased[of] == nil {
			ids, err := o.Erased(ctx, v.TenantID, v.UserID)
			if err != nil {
				return nil, fmt.Errorf("find what was erased: %w", err)
			}
			erased[of] = ids
		}
		if !erased[of][v.ObjectID] {
			kept = append(kept, v)
		}
	}
	return kept, nil
}
