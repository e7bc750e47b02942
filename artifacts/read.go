package artifacts

import (
	"context"
	"io"
	"strconv"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/tokens"
)

// Ask is a question to an artifact: a stretch of bytes, of lines, the matches of a pattern, or the value at a path. The
// zero value asks for the beginning.
type Ask struct {
	ID           string
	Offset       int64  // bytes; with Path, within the selected value
	Limit        int64  // bytes; zero: up to the end
	Lines        string // from-to, counted from 1; either may be left out; with Path, lines of the selected value
	Pattern      string // RE2, matched within lines; with Path, of the selected value
	ContextLines int    // around a match
	Path         string // RFC 9535, or the name of a field
	MaxTokens    int    // default 2000
}

// Slice is an answer. It is valid UTF-8 and within the tokens that were asked for.
type Slice struct {
	Artifact   ctxmcp.Artifact
	Content    string
	Encoding   string // base64 for bytes that are not text
	Range      Range
	TotalLines int64 // 0 for bytes that are not text
	Matches    []Match
	NextOffset *int64 // where to go on; nil: that was all
	Tokens     int
	Counter    string
}

// Range is the place of a slice in the content. A slice of a path counts within the selected value, as bytes of its JSON, or as lines of its text.
type Range struct {
	Start, End          int64 // bytes, half-open
	FirstLine, LastLine int64 // from 1; 0: none
}

// Match is a line that a pattern matches.
type Match struct {
	Line   int64 // from 1
	Offset int64 // of the line, in bytes
}

const (
	defaultTokens = 2000
	maxPattern    = 1000 // bytes
	maxContext    = 50   // lines
	maxTokens     = 1_000_000
)

// Read answers a question to an artifact that the caller can see from at. It returns CodeNotFound for one that does not
// exist for the caller, and for a path that selects nothing; CodeInvalid for a question that cannot be meant.
func (s *Service) Read(ctx context.Context, by ctxmcp.Caller, at ctxmcp.Scope, ask Ask) (Slice, error) {
	found, err := s.Find(ctx, by, at, ask.ID)
	if err != nil {
		return Slice{}, err
	}
	if ask.MaxTokens == 0 {
		ask.MaxTokens = defaultTokens
	}
	if err := ask.check(found[0]); err != nil {
		return Slice{}, err
	}
	b, err := s.Open(ctx, found[0])
	if err != nil {
		return Slice{}, err
	}
	defer b.Close()
	r := &reading{ctx: ctx, blob: b, counter: s.Counter, ask: ask, slice: Slice{Artifact: found[0], Counter: s.Counter.Name()}}
	if err := r.answer(); err != nil {
		return Slice{}, err
	}
	r.slice.Tokens = s.Counter.Count(r.slice.Content)
	return r.slice, nil
}

// Open returns the bytes of an artifact that was found. It returns CodeUnavailable if they are damaged, or gone.
func (s *Service) Open(ctx context.Context, a ctxmcp.Artifact) (Blob, error) {
	b, err := s.Blobs.Open(ctx, a.Digest)
	if err == nil || ctxmcp.CodeOf(err) != ctxmcp.CodeNotFound {
		return b, err
	}
	return nil, ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the bytes of the artifact are missing").WithCause(err).
		WithHint("store the content again, or have the operator restore the data directory")
}

func (q Ask) check(a ctxmcp.Artifact) error {
	invalid := func(what, hint string) error {
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "%s", what).WithHint("%s", hint)
	}
	switch {
	case q.Offset < 0 || q.Limit < 0 || q.ContextLines < 0 || q.MaxTokens < 0:
		return invalid("a number is negative", "count from 0")
	case q.Lines != "" && (q.Offset != 0 || q.Limit != 0) && q.Pattern == "":
		return invalid("lines goes with neither offset nor limit", "ask for one of them")
	case len(q.Pattern) > maxPattern || q.ContextLines > maxContext || q.MaxTokens > maxTokens:
		return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "pattern has more than %d bytes, context_lines is more than %d, or max_tokens more than %d",
			maxPattern, maxContext, maxTokens)
	case a.Binary && (q.Lines != "" || q.Pattern != "" || q.Path != ""):
		return invalid("the artifact is not text", "ask by offset and limit")
	}
	return nil
}

// reading is one question on its way.
type reading struct {
	ctx     context.Context
	blob    Blob
	counter tokens.Counter
	ask     Ask
	slice   Slice
}

func (r *reading) answer() error {
	if !r.slice.Artifact.Binary {
		total, err := totalLines(r.blob)
		if err != nil {
			return err
		}
		r.slice.TotalLines = total
	}
	if r.ask.Path != "" {
		if r.ask.Lines == "" && r.ask.Pattern == "" {
			return r.byPath()
		}
		if err := r.enterPath(); err != nil {
			return err
		}
	}
	start, end, err := r.stretch()
	if err != nil {
		return err
	}
	if r.ask.Pattern != "" {
		return r.byPattern(start, end)
	}
	return r.byBytes(start, end)
}

// totalLines counts the lines, a last one without a line feed included.
func totalLines(b Blob) (int64, error) {
	if b.Size() == 0 {
		return 0, nil
	}
	last := make([]byte, 1)
	if _, err := b.ReadAt(last, b.Size()-1); err != nil && err != io.EOF {
		return 0, err
	}
	if last[0] == '\n' {
		return b.LineFeeds(), nil
	}
	return b.LineFeeds() + 1, nil
}

// stretch returns the bytes that are asked about, half-open.
func (r *reading) stretch() (start, end int64, err error) {
	start, end = r.ask.Offset, r.blob.Size()
	if r.ask.Lines != "" {
		from, to, err := parseLines(r.ask.Lines)
		if err != nil {
			return 0, 0, err
		}
		first, err := r.blob.LineStart(from)
		if err != nil {
			return 0, 0, err
		}
		if to > 0 {
			if end, err = r.blob.LineStart(to + 1); err != nil {
				return 0, 0, err
			}
		}
		start = max(start, first) // a search goes on within its lines
	}
	if r.ask.Limit > 0 && r.ask.Limit < end-start {
		end = start + r.ask.Limit
	}
	if start > r.blob.Size() || start == r.blob.Size() && start > 0 {
		return 0, 0, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the artifact ends before that: it has %d bytes and %d lines", r.blob.Size(), r.slice.TotalLines)
	}
	return start, max(start, end), nil
}

// parseLines reads 10-40, 10-, -40 and 10.
func parseLines(text string) (from, to int64, err error) {
	invalid := ctxmcp.Errorf(ctxmcp.CodeInvalid, "lines %q is not a range", ctxmcp.Clip(text, ctxmcp.MaxIDLength)).WithHint("write it as 10-40, 10- or 10")
	first, last, ranged := strings.Cut(strings.TrimSpace(text), "-")
	from, to = 1, 0
	if first != "" {
		if from, err = strconv.ParseInt(first, 10, 64); err != nil || from < 1 {
			return 0, 0, invalid
		}
	}
	switch {
	case !ranged:
		return from, from, nil
	case last == "" && first == "":
		return 0, 0, invalid
	case last == "":
		return from, 0, nil
	}
	if to, err = strconv.ParseInt(last, 10, 64); err != nil || to < from {
		return 0, 0, invalid
	}
	return from, to, nil
}
