// Command hostile attacks a real server with generated calls, and fails if one of them stops it, fills it, slows down its other
// tenants, gets an internal error, or goes on when its client has left.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"time"

	"github.com/ctx-mcp/ctx-mcp/eval/attack"
	"github.com/ctx-mcp/ctx-mcp/eval/driver"
)

// options are the bounds that a run is held to, and how large it is.
type options struct {
	binary    string
	count     int
	workers   int
	seed      uint64
	max       int
	limit     int64
	longest   time.Duration
	neighbour time.Duration
	growth    int64
	leave     time.Duration
	abuse     int
	settle    time.Duration
	only      string
	skip      string
	replay    string
}

func main() {
	var o options
	flag.StringVar(&o.binary, "binary", "bin/ctx-mcp", "the server")
	flag.IntVar(&o.count, "count", 2000, "calls of each tool and resource")
	flag.IntVar(&o.workers, "workers", 4, "calls at a time")
	flag.Uint64Var(&o.seed, "seed", 0, "of the calls; 0: another one each time")
	flag.IntVar(&o.max, "max", 2<<20, "bytes of the longest text in a call")
	flag.Int64Var(&o.limit, "data-limit", 768, "megabytes of data that the server may have (RLIMIT_DATA)")
	flag.DurationVar(&o.longest, "longest", 11*time.Second, "a call may take: the server's 10 s, and a second for the machine")
	flag.DurationVar(&o.neighbour, "neighbour", 5*time.Second, "a call of the other tenant may take")
	flag.Int64Var(&o.growth, "growth", 64, "megabytes that the server may hold more than after the warm-up")
	flag.DurationVar(&o.leave, "leave", 250*time.Millisecond, "work may go on when its client has left: 200 ms, and 50 for the measurement")
	flag.IntVar(&o.abuse, "abuse", 40, "scale of the abuses of the protocol; 0: none")
	flag.DurationVar(&o.settle, "settle", 150*time.Second, "for the server to give back its memory, which the runtime does every two minutes")
	flag.StringVar(&o.only, "only", "", "attack what this expression matches")
	flag.StringVar(&o.skip, "skip", "^$", "leave out what this expression matches")
	flag.StringVar(&o.replay, "replay", "", "make the call of this line, and no other")
	flag.Parse()
	if o.seed == 0 {
		o.seed = rand.Uint64N(1_000_000_000) + 1
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	problems, err := run(ctx, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "hostile:", err)
		os.Exit(2)
	}
	if problems > 0 {
		fmt.Printf("FAILED: %d problems; send one again with -replay 'LINE', or all with SEED=%d\n", problems, o.seed)
		os.Exit(1)
	}
	fmt.Println("ok: 0 problems")
}

// run attacks a new server and returns how many problems there were.
func run(ctx context.Context, o options) (int, error) {
	data, err := os.MkdirTemp("", "hostile-*")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(data)
	fmt.Printf("SEED=%d, %d calls of each target, %d at a time, texts of up to %d bytes, %d MB of data\n", o.seed, o.count, o.workers, o.max, o.limit)
	b, err := begin(ctx, o, data)
	if err != nil {
		return 0, err
	}
	defer func() { _ = b.server.Stop() }() // where it was not stopped by then, the error is another one
	if o.replay != "" {
		return b.replay(ctx)
	}
	return b.attack(ctx)
}

// battle is one run.
type battle struct {
	options
	server    *attack.Server
	campaign  *attack.Campaign
	neighbour *attack.Neighbour
	problems  int
}

// begin starts the server with two tenants, and plants their objects.
func begin(ctx context.Context, o options, data string) (*battle, error) {
	var tokens [2]string
	for i, tenant := range []string{"mallory", "victim"} {
		var err error
		if tokens[i], err = attack.Token(o.binary, data, tenant, nil); err != nil {
			return nil, err
		}
	}
	s, err := attack.Start(driver.Options{Binary: o.binary, Data: data, Limit: o.limit << 20, Args: []string{"--project", "p"}})
	if err != nil {
		return nil, err
	}
	b := &battle{options: o, server: s, neighbour: &attack.Neighbour{Client: attack.NewClient(s.URL, tokens[1]), Pause: 100 * time.Millisecond}}
	attacker := attack.NewClient(s.URL, tokens[0])
	targets, err := attacker.Targets(ctx)
	if err != nil {
		return nil, err
	}
	if targets, err = o.chosen(targets); err != nil {
		return nil, err
	}
	b.campaign = &attack.Campaign{
		Server: s, Attacker: attacker, Token: tokens[0], Maker: &attack.Maker{Targets: targets, Seed: o.seed, Max: o.max},
		Count: o.count, Workers: o.workers, Longest: o.longest, Replant: 250, Canary: attack.Canary,
		Log: func(format string, a ...any) { fmt.Printf(format+"\n", a...) },
	}
	others, err := b.neighbour.MoveIn(ctx)
	if err != nil {
		return nil, err
	}
	return b, b.campaign.Prepare(ctx, others)
}

// chosen returns the targets that are attacked.
func (o options) chosen(targets []attack.Target) ([]attack.Target, error) {
	only, err := regexp.Compile(o.only)
	if err != nil {
		return nil, fmt.Errorf("-only: %w", err)
	}
	skip, err := regexp.Compile(o.skip)
	if err != nil {
		return nil, fmt.Errorf("-skip: %w", err)
	}
	return slices.DeleteFunc(targets, func(t attack.Target) bool {
		return !only.MatchString(t.Name) || skip.MatchString(t.Name)
	}), nil
}

func (b *battle) replay(ctx context.Context) (int, error) {
	err := b.campaign.Replay(ctx, b.options.replay)
	for _, t := range b.campaign.Slowest() {
		fmt.Printf("took %s: %v\n", t.Took.Round(time.Millisecond), b.campaign.Outcomes())
	}
	return len(b.campaign.Problems()), err
}
