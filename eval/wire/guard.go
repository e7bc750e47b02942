package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// guarded is a kind of call whose processor time is held to a stored ratio.
type guarded struct {
	name, tool string
	times      int // calls in a round, for some tenths of a second of work
	arguments  func(i int) map[string]any
	measure    func(context.Context, *bench) (measured, error) // where there is no tool
}

var guardedCalls = []guarded{
	{"remember", "remember", 100, statement, nil},
	{"recall", "recall", 60, func(i int) map[string]any { return map[string]any{"query": fmt.Sprintf(questions[i&3], i*37&511)} }, nil},
	{"wrap_tool_result, 29 KB", "wrap_tool_result", 60, result(29 << 10), nil},
	{"wrap_tool_result, 1 MB", "wrap_tool_result", 6, result(1 << 20), nil},
	{"put_artifact, 4 MB", "put_artifact", 6, artifact(4 << 20), nil},
	{"compile_context", "compile_context", 12, func(i int) map[string]any {
		return map[string]any{"user_message": fmt.Sprintf("Which harbour has crate %d, and since when?", i*37&511), "max_tokens": 1000}
	}, nil},
	{"reduce_messages, 100,000 tokens", "reduce_messages", 4, reduction(400<<10, 20_000), nil},
	{"start to the first tools/list", "", 8, nil, startOn(false)},
}

const (
	guardRounds = 5   // of which the median counts
	guardTries  = 3   // of all rounds of a call, before it is called too slow
	guardWithin = 0.3 // of the stored ratio
	guardHeld   = 500 // memories
)

// guard compares the processor time of each call, as a ratio to that of a loop beside it, with the ratio in a file; or writes the ratios
// there. Both are measured in turn, so that a machine that others use slows both.
func (b *bench) guard(ctx context.Context, file string, store bool) error {
	if ownProcessor() == 0 {
		return errors.New("processor time is known on Linux alone")
	}
	b.held = guardHeld
	stored, err := readRatios(file)
	if err != nil && !store {
		return err
	}
	fresh, slow := map[string]float64{}, []string{}
	for _, g := range guardedCalls {
		want := stored[g.name]
		for range guardTries {
			if fresh[g.name], err = b.ratio(ctx, g); err != nil {
				return fmt.Errorf("%s: %w", g.name, err)
			}
			if store || fresh[g.name] <= want*(1+guardWithin) {
				break
			}
		}
		fmt.Printf("%-34s %8.3f of the loop, stored %8.3f\n", g.name, fresh[g.name], want)
		if store {
			continue
		}
		fault, said := verdict(g.name, fresh[g.name], want)
		if fault != "" {
			slow = append(slow, fault)
		}
		if said != "" {
			fmt.Println(said)
		}
	}
	if store {
		return writeRatios(file, fresh)
	}
	if len(slow) > 0 {
		return fmt.Errorf("%s\nfind the cause with --profile; if it is meant, store the ratios with make bench-guard STORE=1 and say why", strings.Join(slow, "\n"))
	}
	return nil
}

// verdict says how a fresh ratio stands to the stored one: a fault, or a word to whoever reads.
func verdict(name string, fresh, stored float64) (fault, said string) {
	switch change := fresh/stored - 1; {
	case stored == 0:
		fault = name + " has no stored ratio"
	case change > guardWithin:
		fault = fmt.Sprintf("%s takes %.0f %% more processor time than when the ratios were stored", name, 100*change)
	case change < -guardWithin:
		said = fmt.Sprintf("%s takes %.0f %% less: store it with make bench-guard STORE=1", name, -100*change)
	}
	return fault, said
}

// ratio returns the processor time of one call, in turns of the loop: the median of the rounds.
func (b *bench) ratio(ctx context.Context, g guarded) (float64, error) {
	var s *server
	if g.tool != "" {
		dir, err := b.data()
		if err != nil {
			return 0, err
		}
		if s, err = b.on(dir); err != nil {
			return 0, err
		}
	}
	ratios := make([]float64, guardRounds)
	for round := range ratios {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		before := calibrate()
		used, err := g.round(ctx, b, s, round)
		if err != nil {
			return 0, err
		}
		ratios[round] = used / ((before + calibrate()) / 2)
	}
	slices.Sort(ratios)
	if s == nil {
		return ratios[guardRounds/2], nil
	}
	return ratios[guardRounds/2], s.stop()
}

// round makes the calls of one round, and returns the milliseconds of processor time of one.
func (g guarded) round(ctx context.Context, b *bench, s *server, round int) (float64, error) {
	if g.tool == "" {
		total := 0.0
		for range g.times {
			m, err := g.measure(ctx, b)
			if err != nil {
				return 0, err
			}
			total += m.processor
		}
		return total / float64(g.times), nil
	}
	m, err := repeated(s, g.times, g.tool, func(i int) map[string]any { return g.arguments(round*1000 + i + 4) })
	return m.processor, err
}

// calibrate returns the milliseconds of processor time of a loop over what the server does most: it reads text, hashes, sorts, and looks up
// strings in a map. The loop must stay as it is: each stored ratio is to it.
func calibrate() float64 {
	before := ownProcessor()
	text := logOf(1 << 20)
	for range 3 {
		counts := map[string]int{}
		sum := uint64(14695981039346656037)
		for word := range strings.FieldsSeq(text) {
			counts[word]++
			for i := range len(word) {
				sum = (sum ^ uint64(word[i])) * 1099511628211
			}
		}
		words := make([]string, 0, len(counts))
		for word := range counts {
			words = append(words, word)
		}
		slices.Sort(words)
		runtime.KeepAlive(sum + uint64(len(words))) // the loop is not left out
	}
	return ownProcessor() - before
}

// readRatios reads lines of a name, a tab and a number.
func readRatios(file string) (map[string]float64, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	ratios := map[string]float64{}
	for line := range strings.Lines(string(text)) {
		if name, number, found := strings.Cut(strings.TrimSpace(line), "\t"); found && !strings.HasPrefix(line, "#") {
			if ratios[name], err = strconv.ParseFloat(number, 64); err != nil || ratios[name] <= 0 || math.IsInf(ratios[name], 0) {
				return nil, fmt.Errorf("%s: %q is no ratio", file, number)
			}
		}
	}
	return ratios, nil
}

func writeRatios(file string, ratios map[string]float64) error {
	var b strings.Builder
	b.WriteString("# The processor time of a call, in turns of the loop of guard.go: make bench-guard STORE=1 writes those of one run.\n")
	for _, g := range guardedCalls {
		fmt.Fprintf(&b, "%s\t%.4f\n", g.name, ratios[g.name])
	}
	return os.WriteFile(file, []byte(b.String()), 0o644)
}
