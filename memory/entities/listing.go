package entities

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// Listing selects the entities that a person looks through, wherever they live: one node of each, and those of the whole tenant. A zero
// field of those below Clearance does not restrict.
type Listing struct {
	Tenant    string
	User      string
	Roles     []string
	Clearance ctxmcp.Classification

	Projects []string // only these, and entities of no project
	Key      string   // a part of the key, as KeyOf writes a name
	Behind   string   // id of the last one of the page before
	Limit    int
}

// Match reports whether the listing selects a version. A home that is no namespace is nobody's.
func (l Listing) Match(e Entity) bool {
	home, err := ctxmcp.ParseNamespace(e.Home)
	return (err == nil || e.Home == "") && e.Tenant == l.Tenant && e.TxEnd.IsZero() && e.Into == "" &&
		(e.Home == "" || home.User == l.User) &&
		(len(l.Projects) == 0 || home.Project == "" || slices.Contains(l.Projects, home.Project)) &&
		e.Classification.Rank() <= l.Clearance.Rank() && e.Permissions.Allows(l.Roles) &&
		strings.Contains(e.Key, l.Key) && (l.Behind == "" || e.ID < l.Behind)
}
