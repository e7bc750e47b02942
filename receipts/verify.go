package receipts

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/ctx-mcp/ctx-mcp"
)

// maxLine bounds a line of a bundle, in bytes.
const maxLine = 16 << 20

// batchSize is the number of receipts that are checked together.
const batchSize = 512

// Verified is the content of a bundle that was verified.
type Verified struct {
	Receipts int64  `json:"receipts"`
	Sessions int    `json:"sessions"` // that have their receipt
	Of       string `json:"of"`       // log or session
	Origin   string `json:"origin"`
	Size     int64  `json:"log_size"`
	Root     string `json:"root"`
	KeyID    string `json:"key_id"` // that signed the head
}

// VerifyOptions tunes Verify. The zero value checks a bundle by itself.
type VerifyOptions struct {
	Kept []byte // a head that was kept: the bundle must be of the same log, no shorter, and go on from there
}

// Verify checks a bundle with public keys only, and returns its content. Every byte counts: a bundle has one spelling. It
// returns CodeInvalid, with the line, for a line that is not as it was written, and for a key that is not among those given
// or introduced by the log. It needs nothing but its arguments.
func Verify(ctx context.Context, r io.Reader, keys []ed25519.PublicKey, o VerifyOptions) (Verified, error) {
	v := verification{trusted: map[string]*signer{}, sessions: map[Key]*tree{}, ids: map[Key]bool{}}
	if err := v.run(ctx, r, keys, o); err != nil {
		return Verified{}, ctxmcp.Errorf(ctxmcp.CodeInvalid, "line %d: %v", v.line, err)
	}
	return Verified{Receipts: v.tree.size, Sessions: v.ended, Of: string(v.header.Of), Origin: v.head.origin, Size: v.head.size,
		Root: v.head.root.String(), KeyID: v.headKey}, nil
}

// verification is a bundle that is being checked.
type verification struct {
	header   header
	head     head
	headKey  string // id; empty: not found yet
	kept     *head
	trusted  map[string]*signer
	tree     tree
	sessions map[Key]*tree
	ids      map[Key]bool
	at       string
	ended    int
	line     int
	last     opened
	lastLeaf tlog.Hash
}

func (v *verification) run(ctx context.Context, r io.Reader, keys []ed25519.PublicKey, o VerifyOptions) error {
	in := bufio.NewReaderSize(r, 1<<16)
	first, err := v.next(in)
	if err != nil {
		return err
	}
	if v.header, err = parseHeader(first); err != nil {
		return err
	}
	if err := v.begin(keys, o); err != nil {
		return err
	}
	for {
		n, err := v.batch(ctx, in)
		if err != nil {
			return err
		}
		if n == 0 {
			break
		}
	}
	return v.end()
}

// next returns a line without its end, or io.EOF.
func (v *verification) next(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			v.line++
			return line[:len(line)-1], nil
		case errors.Is(err, io.EOF) && len(line) == 0 && v.line > 0:
			return nil, io.EOF
		case errors.Is(err, io.EOF):
			return nil, errors.New("it ends in the middle of a line")
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		case len(line) > maxLine:
			return nil, errors.New("it is too long")
		}
	}
}

// begin reads the head, and finds the key of it among those given.
func (v *verification) begin(keys []ed25519.PublicKey, o VerifyOptions) (err error) {
	if v.head, err = parseHead([]byte(v.header.Head)); err != nil {
		return err
	}
	for _, k := range keys {
		if err := v.trust(k); err != nil {
			return err
		}
	}
	if _, k, err := openHead([]byte(v.header.Head), v.signers()); err == nil {
		v.headKey = k.id
	}
	if len(o.Kept) == 0 {
		return nil
	}
	kept, err := parseHead(o.Kept)
	switch {
	case err != nil:
		return fmt.Errorf("the head that was kept: %w", err)
	case kept.origin != v.head.origin:
		return errors.New("it is not of the log whose head was kept")
	case kept.size > v.head.size:
		return fmt.Errorf("its tail is cut: the log has %d receipts here and had %d when its head was kept", v.head.size, kept.size)
	}
	v.kept = &kept
	return nil
}

func (v *verification) trust(public ed25519.PublicKey) error {
	s, err := newVerifier(v.head.origin, public)
	if err == nil {
		v.trusted[s.id] = s
	}
	return err
}

func (v *verification) signers() []*signer {
	var all []*signer
	for _, id := range slices.Sorted(maps.Keys(v.trusted)) {
		all = append(all, v.trusted[id])
	}
	return all
}

// batch reads and checks some lines, and returns how many.
func (v *verification) batch(ctx context.Context, in *bufio.Reader) (int, error) {
	start := v.line
	var lines [][]byte
	for len(lines) < batchSize {
		line, err := v.next(in)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return 0, err
		}
		lines = append(lines, line)
	}
	read := make([]opened, len(lines))
	if i, err := parallel(len(lines), func(i int) (err error) { read[i], err = open(lines[i]); return err }); err != nil {
		v.line = start + i + 1
		return 0, err
	}
	for i := range read {
		v.line = start + i + 1
		if err := v.take(ctx, &read[i], lines[i]); err != nil {
			return 0, err
		}
	}
	if i, err := parallel(len(lines), func(i int) error { return read[i].check(ctx, v.trusted) }); err != nil {
		v.line = start + i + 1
		return 0, err
	}
	v.line = start + len(lines)
	return len(lines), nil
}

// take checks a receipt against those before it, and adds it to the trees.
func (v *verification) take(ctx context.Context, o *opened, line []byte) error {
	b := o.body
	key := Key{b.Tenant, b.User, b.Session, b.ID}
	switch {
	case v.ids[key]:
		return fmt.Errorf("the receipt %s is there twice", b.ID)
	case b.At < v.at:
		return errors.New("it is older than the one before it")
	case v.header.Of == oneSession && (b.Session == "" || v.line > 2 && (b.Session != v.last.body.Session || b.User != v.last.body.User || b.Tenant != v.last.body.Tenant)):
		return errors.New("it is of another session")
	}
	v.ids[key], v.at = true, b.At
	if b.Kind == KeyKind {
		if err := v.introduce(ctx, o); err != nil {
			return err
		}
	}
	v.lastLeaf = tlog.RecordHash(line)
	v.last = *o
	if err := v.inSession(b); err != nil {
		return err
	}
	if _, err := v.tree.add(v.lastLeaf); err != nil {
		return err
	}
	if v.kept != nil && v.header.Of == wholeLog && v.tree.size == v.kept.size {
		return v.atKept()
	}
	return nil
}

// atKept compares the log with the head that was kept, at its size.
func (v *verification) atKept() error {
	if root, err := v.tree.root(); err != nil || root != v.kept.root {
		return errors.New("up to here it is not the log whose head was kept")
	}
	return nil
}

// introduce trusts the key of a key receipt: because the head, which a given key signed, covers it, or because a trusted key
// signed the receipt.
func (v *verification) introduce(ctx context.Context, o *opened) error {
	public, err := decodeKey(o.body.PublicKey)
	if err != nil {
		return err
	}
	if v.headKey == "" {
		if err := o.check(ctx, v.trusted); err != nil {
			return fmt.Errorf("it introduces a key, and %w", err)
		}
	}
	return v.trust(public)
}

// inSession follows the receipts of each session, and checks the one that ends it.
func (v *verification) inSession(b Body) error {
	if b.Session == "" {
		return nil
	}
	key := Key{Tenant: b.Tenant, User: b.User, Session: b.Session}
	t, begun := v.sessions[key]
	if !begun {
		t = &tree{}
		v.sessions[key] = t
	}
	if t == nil {
		return errors.New("its session had ended")
	}
	if b.Kind == SessionKind {
		root, err := t.root()
		if err != nil || b.Summary == nil || b.Summary.Receipts != t.size || b.Summary.Root != root.String() {
			return errors.New("it does not fit the receipts of its session")
		}
		v.ended++
		v.sessions[key] = nil
		return nil
	}
	_, err := t.add(v.lastLeaf)
	return err
}

// end checks the head against the receipts that were read.
func (v *verification) end() error {
	if v.headKey == "" { // the key may have been introduced by the log
		_, k, err := openHead([]byte(v.header.Head), v.signers())
		if err != nil {
			return err
		}
		v.headKey = k.id
	}
	if v.header.Of == oneSession {
		return v.endSession()
	}
	root, err := v.tree.root()
	switch {
	case err != nil:
		return err
	case v.tree.size != v.head.size:
		return fmt.Errorf("there are %d receipts, and the head is of %d", v.tree.size, v.head.size)
	case root != v.head.root:
		return errors.New("the receipts are not those of the head")
	}
	return nil
}

func (v *verification) endSession() error {
	if v.tree.size == 0 || v.last.body.Kind != SessionKind {
		return errors.New("the last receipt is not that of a session")
	}
	if err := tlog.CheckRecord(v.header.Proof, v.head.size, v.head.root, *v.header.Index, v.lastLeaf); err != nil {
		return errors.New("the session's receipt is not proved to be in the log of the head")
	}
	return nil
}

// parallel calls do for 0 to n-1 on all processors, and returns the first index for which it failed.
func parallel(n int, do func(int) error) (int, error) {
	errs := make([]error, n)
	var group sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), n)
	for w := range workers {
		group.Go(func() {
			for i := w; i < n; i += workers {
				errs[i] = do(i)
			}
		})
	}
	group.Wait()
	for i, err := range errs {
		if err != nil {
			return i, err
		}
	}
	return 0, nil
}
