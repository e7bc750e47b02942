package envelope

import (
	"fmt"
	"runtime/debug"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// keptAtOnce is the number of results that are kept at the same time: each waits for the disk, which syncs many as fast as one.
const keptAtOnce = 16

// keeping is the write of an artifact beside the steps that shorten the text, which need its id alone.
type keeping struct {
	done   chan struct{}
	change artifacts.Change
	err    error
	broken any // of a panic, with its stack
}

// externalise has the redacted text of the results kept that are large or will be cut.
func externalise(all []*wrapping) error {
	turns := make(chan struct{}, keptAtOnce)
	for _, w := range all {
		if w.whole() && utf8.RuneCountInString(w.text) <= w.Options.withDefaults().Threshold {
			continue
		}
		if err := w.keep(turns); err != nil {
			return err
		}
	}
	return nil
}

// keep begins to write the redacted text, once it has a turn. It becomes an artifact when the result is recorded.
func (w *wrapping) keep(turns chan struct{}) error {
	p, err := w.Keeper.Ready(w.ctx, w.by, w.at, w.draft(), artifacts.Original{Content: w.raw, Found: found(w.out.Redactions)})
	if err != nil || p.Artifact == nil {
		return err
	}
	w.out.Artifact = p.Artifact
	k := &keeping{done: make(chan struct{})}
	w.keeping = k
	go func() {
		defer close(k.done)
		turns <- struct{}{}
		defer func() {
			if broken := recover(); broken != nil {
				k.broken = fmt.Sprintf("%v\n%s", broken, debug.Stack())
			}
			<-turns
		}()
		k.change, k.err = p.Write()
	}()
	return nil
}

// settle waits until nothing is written any more.
func settle(all []*wrapping) {
	for _, w := range all {
		if w.keeping != nil {
			<-w.keeping.done
		}
	}
}

// kept waits for the artifacts. A panic in one of them is that of the call; the first error counts, as if they were kept one by one.
func kept(all []*wrapping) error {
	settle(all)
	for _, w := range all {
		k := w.keeping
		switch {
		case k == nil:
			continue
		case k.broken != nil:
			panic(k.broken)
		case k.err != nil:
			return k.err
		}
		if w.change = k.change; len(k.change.Insert) > 0 {
			a := k.change.Insert[0]
			w.out.Artifact = &a
		}
	}
	return nil
}

func (w *wrapping) draft() artifacts.Draft {
	return artifacts.Draft{Content: w.kept, Type: "tool_result", Tool: w.in.Tool, Summary: w.kind.Name + " from " + w.in.Tool, Once: w.in.Once}
}

// answers says that the call has its result, where calls can be told apart.
func (w *wrapping) answers() []artifacts.Answer {
	if len(w.in.CallIDs) == 0 && w.at.Session == "" && w.at.Task == "" {
		return nil
	}
	return []artifacts.Answer{{
		Tenant: w.by.Tenant, Namespace: w.at.Namespace(), CallID: w.in.CallID, Digest: ctxmcp.Digest(w.in.Tool + "\x00" + w.kept), At: w.Now(),
	}}
}

func found(list []Redaction) (all []redact.Finding) {
	for _, r := range list {
		all = append(all, redact.Finding{Label: r.Label, Count: r.Count})
	}
	return all
}
