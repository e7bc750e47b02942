package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/postgres"
	"github.com/ctx-mcp/ctx-mcp/receipts"
	"github.com/ctx-mcp/ctx-mcp/sqlite"
)

// movedReport is a finished move of rows, or one that a dry run looked at, as JSON.
type movedReport struct {
	From    string             `json:"from"`
	To      string             `json:"to"`
	DryRun  bool               `json:"dry_run"`
	Rows    int                `json:"rows"`
	Have    int                `json:"rows_there_before"` // of an earlier run
	Tables  []sqlite.Copied    `json:"tables,omitempty"`
	Log     *receipts.Verified `json:"receipts,omitempty"`
	Seconds float64            `json:"seconds"`
}

// receipts returns how many receipts were copied.
func (r movedReport) receipts() int {
	i := slices.IndexFunc(r.Tables, func(c sqlite.Copied) bool { return c.Table == "receipts" })
	if i < 0 {
		return 0
	}
	return r.Tables[i].Rows
}

// settingsAt returns the settings of a server with its rows at a place. The data directory of a place without one is that of c.
func settingsAt(c *config.Config, place string) (*config.Config, error) {
	own := *c
	own.Store = place
	if strings.HasPrefix(place, placeSQLite) {
		dir, err := folderOf(place, placeSQLite)
		if err != nil {
			return nil, err
		}
		own.Store, own.DataDir = "", dir
	}
	return &own, nil
}

// rows copies a store and verifies the log of receipts in the copy.
func (m move) rows(ctx context.Context, sys *system, c *config.Config) error {
	source, err := settingsAt(c, m.from)
	if err != nil {
		return err
	}
	target, err := settingsAt(source, m.to)
	if err != nil {
		return err
	}
	if source.Store == target.Store && (source.Store != "" || source.DataDir == target.DataDir) {
		return usage("--from and --to are the same")
	}
	if there, err := holdsStore(ctx, source); err != nil || !there {
		return errors.Join(err, noStore(m.from, there))
	}
	began := sys.now()
	report := movedReport{From: nameOf(m.from), To: nameOf(m.to), DryRun: m.dryRun}
	if err := m.copyRows(ctx, sys, source, target, &report); err != nil {
		return err
	}
	if report.receipts() > 0 {
		v, err := verifiedOwn(ctx, sys, target, receipts.VerifyOptions{})
		if err != nil {
			return fmt.Errorf("the rows are copied, but the log of receipts does not verify in %s: %w", report.To, err)
		}
		report.Log = &v
	}
	report.Seconds = sys.now().Sub(began).Seconds()
	return m.tellRows(sys, target, report)
}

// tellRows prints a report.
func (m move) tellRows(sys *system, target *config.Config, r movedReport) error {
	if m.asJSON {
		return writeJSON(sys.out, r)
	}
	if r.DryRun {
		_, err := fmt.Fprintf(sys.out, "%d rows would move to %s, which has %d of them; nothing was changed\n", r.Rows, r.To, r.Have)
		return err
	}
	bytes := target.Blobs
	if bytes == "" {
		bytes = filepath.Join(target.DataDir, "blobs")
	}
	verified := ""
	if r.Log != nil {
		verified = ", verified anew"
	}
	_, err := fmt.Fprintf(sys.out, `%d rows are in %s, and the digests of all %d tables agree (%s)
receipts: %d in the log%s
Keys and the head of the receipts are in %s, the bytes of artifacts in %s: a server of the new database needs both.
`, r.Rows, r.To, len(r.Tables), time.Duration(r.Seconds*float64(time.Second)).Round(time.Millisecond), r.receipts(), verified, target.DataDir, bytes)
	return err
}

func noStore(place string, there bool) error {
	if there {
		return nil
	}
	return ctxmcp.Errorf(ctxmcp.CodeNotFound, "there is no store in %s", nameOf(place)).
		WithHint("name the data directory as sqlite:DIR, or the database that servers use as --store")
}

// holdsStore reports whether there is a store where settings say, without making one.
func holdsStore(ctx context.Context, c *config.Config) (bool, error) {
	if c.Store != "" {
		return postgres.Holds(ctx, c.Store)
	}
	_, err := os.Stat(filepath.Join(c.DataDir, sqlite.FileName))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// claimRows opens a store for this process alone. The caller calls done.
func claimRows(ctx context.Context, c *config.Config, logger *slog.Logger) (s *sqlite.Store, done func() error, err error) {
	if err := guardDirectory(c.DataDir, logger); err != nil {
		return nil, nil, err
	}
	if s, err = openRows(ctx, c, logger); err != nil {
		return nil, nil, err
	}
	release, err := s.Claim(ctx)
	if err != nil {
		return nil, nil, errors.Join(err, s.Close())
	}
	return s, func() error { return errors.Join(release(), s.Close()) }, nil
}

// copyRows checks both stores and, unless it is a dry run, copies.
func (m move) copyRows(ctx context.Context, sys *system, source, target *config.Config, r *movedReport) (err error) {
	logger := newLogger(sys.err, source)
	read, done, err := claimRows(ctx, source, logger)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	unfinished, err := read.Unfinished(ctx)
	if err = errors.Join(err, halfDone(unfinished)); err != nil {
		return err
	}
	if r.Rows, err = read.CountRows(ctx); err != nil {
		return err
	}
	if err := sameKeys(ctx, read, source, target); err != nil {
		return err
	}
	if there, err := holdsStore(ctx, target); m.dryRun && (err != nil || !there) {
		return err
	}
	written, left, err := claimRows(ctx, target, logger)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, left()) }()
	if r.Have, err = written.Fillable(ctx, read.Name()); err != nil || m.dryRun {
		return err
	}
	tell := progress(sys, "copied", "rows", r.Rows)
	r.Tables, err = sqlite.Copy(ctx, read, written, func(n, _ int) { tell(n) })
	return err
}

// sameKeys returns CodeConflict unless the keys of the source are where the target will look for them: without them a server would make others, tell
// known secrets as new ones, and could neither go on with the log of receipts nor verify it.
func sameKeys(ctx context.Context, read *sqlite.Store, source, target *config.Config) error {
	want, err := digestOfKey(source)
	if shared := read.Facts(); shared != nil {
		want, err = shared.Fact(ctx, factOfKey)
	}
	if err != nil || want == "" {
		return err
	}
	got, err := digestOfKey(target)
	if err != nil || got == want {
		return err
	}
	return ctxmcp.Errorf(ctxmcp.CodeConflict, "the keys of the source are not in %s", target.Keys()).
		WithHint("copy redaction.key and the folders receipts and blobs of the data directory of its servers there first; nothing was changed")
}

// halfDone is the error for a store that is being filled, or nil if there is no source.
func halfDone(source string) error {
	if source == "" {
		return nil
	}
	return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "the database is half filled from %s", source).
		WithHint("finish that: ctx-mcp migrate --from … --to … as before; or empty the database")
}
