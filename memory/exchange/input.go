package exchange

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"github.com/ctx-mcp/ctx-mcp"
)

// version is a version of the input, redacted.
type version struct {
	object  ctxmcp.ContextObject
	line    int
	written digest // of the line before redaction
	kept    digest // of the line as it is stored
}

// key names a version among those of all tenants.
type key struct {
	tenant string
	ctxmcp.VersionKey
}

func keyOf(o ctxmcp.ContextObject) key { return key{o.TenantID, ctxmcp.KeyOf(o)} }

// input is the part of an import that has been read and found good.
type input struct {
	ctx      context.Context // of the import
	options  ImportOptions
	decoder  *decoder
	versions []version
	seen     map[key]int // the place in versions
	redacted int
}

// readInput reads all of r. It returns the error of the first bad line, with its number.
func readInput(ctx context.Context, r io.Reader, o ImportOptions) (*input, error) {
	d, err := sharedDecoder()
	if err != nil {
		return nil, err
	}
	in := &input{ctx: ctx, options: o, decoder: d, seen: map[key]int{}}
	lines := newLineReader(r)
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		line, err := lines.next()
		if errors.Is(err, io.EOF) {
			return in, nil
		}
		if err == nil {
			err = in.add(lines.number, line)
		}
		if err != nil {
			return nil, onLine(lines.number, err)
		}
		if o.Progress != nil {
			o.Progress(len(in.versions))
		}
	}
}

// add reads a line, unless an earlier one said the same.
func (in *input) add(number int, line []byte) error {
	o, err := in.decoder.decode(in.ctx, line)
	if err != nil {
		return err
	}
	if o.TenantID, err = in.tenant(o.TenantID); err != nil {
		return err
	}
	v := version{object: o, line: number}
	if v.written, err = digestOf(o); err != nil {
		return err
	}
	pass := in.options.Redact.Pass(in.ctx, o.TenantID)
	hidden := hide(&v.object, pass)
	if err := pass.Err(); err != nil {
		return err
	}
	if v.kept, err = digestOf(v.object); err != nil {
		return err
	}
	k := keyOf(o)
	if at, twice := in.seen[k]; twice {
		return same(in.versions[at], v)
	}
	in.seen[k] = len(in.versions)
	in.versions = append(in.versions, v)
	if hidden {
		in.redacted++
	}
	return nil
}

// tenant returns the tenant that a version gets.
func (in *input) tenant(written string) (string, error) {
	want := in.options.Tenant
	if want == "" || written == want || in.options.Rewrite {
		return orElse(want, written), nil
	}
	return "", invalid("tenant_id", "is another tenant than %s", want).
		WithHint("import it as its own tenant, or ask for it to be rewritten")
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// same returns a CodeInvalid Error unless two lines about one version say the same.
func same(first, second version) error {
	if first.kept == second.kept {
		return nil
	}
	return ctxmcp.Errorf(ctxmcp.CodeInvalid, "version %d of object %s stands on line %d with other content",
		second.object.Version, second.object.ObjectID, first.line)
}

// digestOf returns the digest of o's line. It returns CodeTooLarge if that line is too long to be read back.
func digestOf(o ctxmcp.ContextObject) (digest, error) {
	line, err := encode(o)
	if err != nil {
		return digest{}, fmt.Errorf("encode: %w", err)
	}
	if len(line)-len("\n") > maxLine {
		return digest{}, tooLong()
	}
	return sha256.Sum256(line), nil
}
