package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

// comparedCalls are compared with another binary: those of the guard, and larger ones.
var comparedCalls = slices.Concat(guardedCalls, []guarded{
	{"start to the first tools/list, new data", "", 4, nil, startOn(true)},
	{"remember, HTTP, 32 callers", "", 1, nil, rememberMany},
	{"wrap_tool_result, 5 MB", "wrap_tool_result", 2, result(5 << 20), nil},
	{"put_artifact, 27 MB", "put_artifact", 2, artifact(27 << 20), nil},
	{"reduce_messages, a million tokens", "reduce_messages", 2, reduction(4<<20, 100_000), nil},
})

// side is a binary with its data, and its server while a call is measured.
type side struct {
	bench
	server *server
}

// beside prints the processor time of calls as a share of that of another binary: the median of the shares of rounds in turns, so that a
// machine that others use slows both.
func (b *bench) beside(ctx context.Context, other string, which *regexp.Regexp) error {
	if ownProcessor() == 0 {
		return errors.New("processor time is known on Linux alone")
	}
	sides := make([]side, 2)
	for i, binary := range []string{b.server, other} {
		work := filepath.Join(b.work, fmt.Sprint(i))
		if err := os.Mkdir(work, 0o700); err != nil {
			return err
		}
		sides[i].bench = bench{server: binary, held: b.held, work: work}
		if b.filled != "" {
			sides[i].filled = filepath.Join(work, "held")
			if err := os.CopyFS(sides[i].filled, os.DirFS(b.filled)); err != nil {
				return err
			}
		}
	}
	fmt.Printf("%-42s %10s %10s %10s %16s\n", "call, ms of processor time", "this", "other", "share", "of rounds")
	for _, g := range comparedCalls {
		if !which.MatchString(g.name) {
			continue
		}
		if err := g.compare(ctx, sides, b.runs); err != nil {
			return fmt.Errorf("%s: %w", g.name, err)
		}
	}
	return nil
}

// compare prints the line of a call.
func (g guarded) compare(ctx context.Context, sides []side, rounds int) (err error) {
	for i := range sides {
		if err := sides[i].open(g); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, sides[i].close()) }()
	}
	shares, used := make([]float64, rounds), [2][]float64{}
	for round := range rounds {
		if err := ctx.Err(); err != nil {
			return err
		}
		took, before := [2]float64{}, told
		for turn := range sides {
			i := (turn + round) % 2
			told = before // both are told the same
			if took[i], err = g.round(ctx, &sides[i].bench, sides[i].server, round); err != nil {
				return err
			}
			used[i] = append(used[i], took[i])
		}
		shares[round] = took[0] / took[1]
	}
	middle := median(shares) // which sorts them
	fmt.Printf("%-42s %10.3f %10.3f %10.3f %8.3f-%.3f\n", g.name, median(used[0]), median(used[1]), middle, shares[0], shares[rounds-1])
	return nil
}

// open starts the binary on its memories, for calls of a tool.
func (s *side) open(g guarded) error {
	if g.tool == "" {
		return nil
	}
	dir, err := s.data()
	if err == nil {
		s.server, err = s.on(dir)
	}
	return err
}

func (s *side) close() error {
	if s.server == nil {
		return nil
	}
	defer func() { s.server = nil }()
	return s.server.stop()
}
