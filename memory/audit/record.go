package audit

import (
	"strings"
	"time"
	"unicode"

	"github.com/ctx-mcp/ctx-mcp"
)

// Record is a memory as an audit takes it, unredacted. Only Content is required.
type Record struct {
	ID      string
	Version int    // 0 where there are no versions
	Line    int    // of the file, from 1; 0 where there is none
	Group   string // where it lives, or whose it is: memories of two groups are not compared
	Content string
	Texts   []Text // every other free text, but for the claim
	Claim   ctxmcp.Claim
	Beside  bool // the claim stands beside others in its slot, under any predicate
	// Past is a version that is no longer held, or archived: it is looked at for secrets only.
	Past      bool
	Replaced  bool // another one says what holds since its time ended: it is kept as what was so
	Valid     ctxmcp.Interval
	Status    ctxmcp.ContradictionStatus
	Recorded  time.Time // when it came in; zero: not known, and so for the other times
	Confirmed time.Time // when it was last said
	Used      time.Time // when it last reached a model
	CountsUse bool      // its store says when a memory is used
	FadesAt   time.Time // from when its confidence is below the threshold of its decay rule
}

// Text is a free text under the name of its field.
type Text struct{ Name, Value string }

// Of returns the record of a version.
func Of(o ctxmcp.ContextObject) Record {
	r := Record{
		ID: o.ObjectID, Version: o.Version, Group: o.Home().Namespace(), Content: o.Content, Claim: o.Claim,
		Past: !o.TxEnd.IsZero() || o.Archived, Valid: o.Valid(), Status: o.ContradictionStatus,
		Recorded: o.TxStart, Confirmed: o.LastConfirmed, Used: o.LastUsed, CountsUse: true,
		FadesAt: o.FadesAt(), Replaced: o.LinkNow() != "" && o.LinkNow() != o.ObjectID,
		Texts: []Text{
			{"author", o.Author}, {"why_it_matters", o.WhyItMatters}, {"behavioral_implication", o.BehavioralImplication},
			{"source_origin", o.SourceOrigin}, {"update_path", o.UpdatePath}, {"aliases", strings.Join(o.Aliases, "\n")}, {"origin_domains", strings.Join(o.Domains, "\n")},
		},
	}
	if o.NormalizedClaim != o.Claim.String() {
		r.Texts = append(r.Texts, Text{"normalized_claim", o.NormalizedClaim})
	}
	if o.Closing != nil {
		r.Texts = append(r.Texts, Text{"closing.reason", o.Closing.Reason})
	}
	return r
}

// Place says which memory a finding is about. Its texts are redacted.
type Place struct {
	ID      string `json:"id,omitempty"`
	Version int    `json:"version,omitempty"`
	Line    int    `json:"line,omitempty"`
	Group   string `json:"group,omitempty"`
	Excerpt string `json:"excerpt"`
}

// record is a Record that has been redacted.
type record struct {
	Record
	place   Place
	secrets []secret
}

// secret is a secret that was hidden in a field.
type secret struct {
	field, label string
	count        int
}

// excerptLength bounds an excerpt, in characters.
const excerptLength = 100

// redacted hides the secrets of r. A secret that only the whole claim shows, such as a password by its predicate, is looked
// for too.
func (o Options) redacted(r Record) *record {
	seen := &record{Record: r}
	hide := func(field, text string) string {
		if text == "" {
			return ""
		}
		hidden, found := o.Redact(text)
		for _, f := range found {
			seen.secrets = append(seen.secrets, secret{field, f.Label, f.Count})
		}
		return hidden
	}
	content := hide("content", r.Content)
	for _, t := range r.Texts {
		hide(t.Name, t.Value)
	}
	hide("claim", r.Claim.String())
	seen.place = Place{
		ID: excerpt(hide("id", r.ID)), Version: r.Version, Line: r.Line, Group: excerpt(hide("group", r.Group)), Excerpt: excerpt(content),
	}
	return seen
}

// excerpt returns the beginning of a redacted text on one line, without the characters that steer a terminal.
func excerpt(text string) string {
	var b strings.Builder
	n, space := 0, false
	for _, r := range text {
		if unicode.IsSpace(r) || !unicode.IsPrint(r) {
			space = b.Len() > 0
			continue
		}
		if space {
			b.WriteByte(' ')
			n++
		}
		space = false
		if n >= excerptLength {
			b.WriteString("…")
			break
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}
