package envelope

import (
	"fmt"
	"runtime/debug"
	"sync"
	"unicode/utf8"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// keptAtOnce is the number of results that are kept at the same time: each waits for the disk, which syncs many as fast as one.
const keptAtOnce = 16

// externalise keeps the redacted text of the results that are large or will be cut. A panic in one of them is that of the call.
func externalise(all []*wrapping) error {
	errs, panics := make([]error, len(all)), make([]any, len(all))
	turns := make(chan struct{}, keptAtOnce)
	var kept sync.WaitGroup
	for i, w := range all {
		if w.whole() && utf8.RuneCountInString(w.text) <= w.Options.withDefaults().Threshold {
			continue
		}
		turns <- struct{}{}
		kept.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					panics[i] = fmt.Sprintf("%v\n%s", p, debug.Stack())
				}
				<-turns
			}()
			errs[i] = w.keep()
		})
	}
	kept.Wait()
	for i, err := range errs { // the first, as if they were kept one by one
		if panics[i] != nil {
			panic(panics[i])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// keep writes the redacted text. It becomes an artifact when the result is recorded.
func (w *wrapping) keep() (err error) {
	w.change, err = w.Keeper.Ready(w.ctx, w.by, w.at, w.draft(), artifacts.Original{Content: w.raw, Found: found(w.out.Redactions)})
	switch {
	case err != nil:
	case len(w.change.Insert) > 0:
		a := w.change.Insert[0]
		w.out.Artifact = &a
	case w.in.Once:
		w.out.Artifact = w.change.Same
	}
	return err
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
