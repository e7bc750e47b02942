package redact

import (
	"context"
	"fmt"
)

// A Func hides the secrets of a text of the tenant, and returns a finding for each sort of them. Services are given a redactor as a Func. If ctx
// ends, or a detector fails, it returns the error and no text; the call that needed the text must then fail too.
type Func func(ctx context.Context, tenant, text string) (redacted string, found []Finding, err error)

// Func returns the redactor as services take it. Each tenant has fingerprints of its own.
func (r *Redactor) Func() Func {
	return func(ctx context.Context, tenant, text string) (string, []Finding, error) {
		return r.TryFor(ctx, tenant, text)
	}
}

// Nothing is a Func that hides nothing. It is for text that has been redacted.
func Nothing(ctx context.Context, _, text string) (string, []Finding, error) {
	if err := ended(ctx); err != nil {
		return "", nil, err
	}
	return text, nil, nil
}

// Pass returns a pass over several texts of the tenant.
func (f Func) Pass(ctx context.Context, tenant string) *Pass {
	return &Pass{hide: f, ctx: ctx, tenant: tenant}
}

// A Pass redacts several texts, and keeps the first error. Its user asks for Err before using any of the texts.
type Pass struct {
	hide   Func
	ctx    context.Context // of the call whose texts these are
	tenant string
	err    error
}

// Text returns the text redacted, with the findings. Once a text has failed it returns nothing.
func (p *Pass) Text(s string) (string, []Finding) {
	if p.err != nil {
		return "", nil
	}
	redacted, found, err := p.hide(p.ctx, p.tenant, s)
	if err != nil {
		p.err = err
		return "", nil
	}
	return redacted, found
}

// Err returns the first error of any of the texts.
func (p *Pass) Err() error { return p.err }

// ended returns the error of a context that has ended.
func ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("redact: %w", err)
	}
	return nil
}

// Echo is redact.Echo with the texts redacted by the pass.
func (p *Pass) Echo(message, of string) string {
	return Echo(message, of, func(text string) string {
		text, _ = p.Text(text)
		return text
	})
}
