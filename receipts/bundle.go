package receipts

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// bundleFormat names the form of a bundle: a header and then one envelope a line, each in canonical JSON.
const bundleFormat = "ctx-mcp-receipts/1"

// extent is the part of the log that a bundle covers.
type extent string

const (
	wholeLog   extent = "log"     // every receipt up to the head
	oneSession extent = "session" // those of one session, its own last, and the proof that this one is in the log
)

// header is the first line of a bundle.
type header struct {
	Format string      `json:"format"`
	Of     extent      `json:"of"`
	Head   string      `json:"head"`
	Index  *int64      `json:"index,omitempty"` // of the session receipt in the log
	Proof  []tlog.Hash `json:"proof,omitempty"` // that it is there (RFC 6962, 2.1.1)
}

func parseHeader(line []byte) (header, error) {
	var h header
	if err := json.Unmarshal(line, &h); err != nil {
		return h, errors.New("it does not begin with the header of a bundle")
	}
	if again, err := ijson.Canonical(h); err != nil || !bytes.Equal(again, line) {
		return h, errors.New("the header is not in canonical form")
	}
	whole := h.Of == wholeLog && h.Index == nil && h.Proof == nil
	if h.Format != bundleFormat || !whole && (h.Of != oneSession || h.Index == nil) {
		return h, errors.New("it is not a bundle of this form")
	}
	return h, nil
}

// page is the number of entries that are read from the log at a time.
const page = 1000

// Export writes the whole log with its head as a bundle, and returns how many receipts it has.
func (s *Service) Export(ctx context.Context, w io.Writer) (int64, error) {
	end, err := s.Log.LogEnd(ctx)
	if err != nil {
		return 0, err
	}
	if end.Size == 0 {
		return 0, ctxmcp.Errorf(ctxmcp.CodeNotFound, "there are no receipts yet")
	}
	out := bufio.NewWriter(w)
	if err := writeLine(out, header{Format: bundleFormat, Of: wholeLog, Head: string(end.Head)}); err != nil {
		return 0, err
	}
	if err := s.each(ctx, end.Size, func(e Entry) error { return writeRaw(out, e.Envelope) }); err != nil {
		return 0, err
	}
	return end.Size, out.Flush()
}

// each calls do for the first entries of the log, in order.
func (s *Service) each(ctx context.Context, size int64, do func(Entry) error) error {
	for from := int64(0); from < size; {
		entries, err := s.Log.Receipts(ctx, Query{From: from, Limit: page})
		if err != nil {
			return err
		}
		if len(entries) == 0 {
			return tampered(fmt.Errorf("it has %d receipts of %d", from, size))
		}
		for _, e := range entries {
			if from < size {
				if err := do(e); err != nil {
					return err
				}
			}
			from++
		}
	}
	return nil
}

// ExportSession writes the receipts of one ended session as a bundle. It returns CodeNotFound for a session without
// receipts, and CodeConflict for one that has not ended.
func (s *Service) ExportSession(ctx context.Context, tenant, user, session string, w io.Writer) (int64, error) {
	if tenant == "" || user == "" || session == "" {
		return 0, ctxmcp.Errorf(ctxmcp.CodeInvalid, "no session is named")
	}
	end, err := s.Log.LogEnd(ctx)
	if err != nil {
		return 0, err
	}
	entries, err := s.Log.Receipts(ctx, Query{Tenant: tenant, User: user, Session: session})
	if err != nil {
		return 0, err
	}
	if len(entries) == 0 {
		return 0, ctxmcp.Errorf(ctxmcp.CodeNotFound, "there are no receipts of this session")
	}
	last := entries[len(entries)-1]
	if o, err := open(last.Envelope); err != nil || o.body.Kind != SessionKind || last.Index >= end.Size {
		return 0, ctxmcp.Errorf(ctxmcp.CodeConflict, "the session has not ended").WithHint("end it with end_session")
	}
	proof, err := s.prove(ctx, end, last.Index)
	if err != nil {
		return 0, err
	}
	out := bufio.NewWriter(w)
	if err := writeLine(out, header{bundleFormat, oneSession, string(end.Head), &last.Index, proof}); err != nil {
		return 0, err
	}
	for _, e := range entries {
		if err := writeRaw(out, e.Envelope); err != nil {
			return 0, err
		}
	}
	return int64(len(entries)), out.Flush()
}

// prove returns the proof that the entry is in the log.
func (s *Service) prove(ctx context.Context, end End, index int64) (tlog.RecordProof, error) {
	return tlog.ProveRecord(end.Size, index, tlog.HashReaderFunc(func(numbers []int64) ([]tlog.Hash, error) {
		held, err := s.Log.TreeHashes(ctx, numbers)
		if err != nil {
			return nil, err
		}
		hashes := make([]tlog.Hash, len(held))
		for i, hash := range held {
			hashes[i] = hash
		}
		return hashes, nil
	}))
}

// Head returns the signed head of the log, to be kept elsewhere. It returns CodeNotFound for an empty log.
func (s *Service) Head(ctx context.Context) ([]byte, error) {
	end, err := s.Log.LogEnd(ctx)
	if err == nil && end.Size == 0 {
		err = ctxmcp.Errorf(ctxmcp.CodeNotFound, "there are no receipts yet")
	}
	return end.Head, err
}

func writeLine(w io.Writer, v any) error {
	line, err := ijson.Canonical(v)
	if err != nil {
		return err
	}
	return writeRaw(w, line)
}

func writeRaw(w io.Writer, line []byte) error {
	_, err := w.Write(append(bytes.Clone(line), '\n'))
	return err
}
