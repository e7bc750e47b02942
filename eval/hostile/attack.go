package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// attack warms the server up, attacks it while the neighbour lives, and looks at its state afterwards.
func (b *battle) attack(ctx context.Context) (int, error) {
	if err := b.warmUp(ctx); err != nil {
		b.log()
		return 0, errors.Join(err, b.server.Stop())
	}
	warm, err := b.settled(ctx, 0)
	if err != nil {
		return 0, err
	}
	fmt.Printf("after the warm-up: %s\n", megabytes(warm))
	peak := b.watchMemory(ctx)
	b.assault(ctx)
	fmt.Printf("most memory during the attack: %s\n", megabytes(peak()))
	if !b.server.Ended() {
		b.hangUps(ctx)
		b.memory(ctx, warm)
	}
	b.log()
	if err := b.server.Stop(); err != nil {
		b.fail("%v", err)
	}
	return b.problems + len(b.campaign.Problems()), ctx.Err()
}

// warmUp makes calls of every target, so that memory that the server keeps once is not taken for growth.
func (b *battle) warmUp(ctx context.Context) error {
	warm := *b.campaign.Maker
	warm.Seed, warm.Max = b.seed+1, 64<<10
	maker, count := b.campaign.Maker, b.campaign.Count
	defer func() { b.campaign.Maker, b.campaign.Count = maker, count }()
	b.campaign.Maker, b.campaign.Count = &warm, min(40, count)
	fmt.Println("warm-up:")
	return b.campaign.Run(ctx)
}

// assault attacks by calls and by the protocol while the neighbour lives.
func (b *battle) assault(ctx context.Context) {
	living, end := context.WithCancel(ctx)
	lived := make(chan struct{})
	go func() { b.neighbour.Live(living); close(lived) }()
	fmt.Println("attack:")
	if err := b.campaign.Run(ctx); err != nil {
		b.fail("%v", err)
	}
	if b.abuse > 0 && !b.server.Ended() {
		b.campaign.Abuse(ctx, b.abuse)
	}
	end()
	<-lived
	life := b.neighbour.Life()
	fmt.Printf("other tenant: %d calls, median %s, 99th percentile %s, worst %s, not answered %d\n",
		life.Calls, ms(life.Median), ms(life.P99), ms(life.Worst), len(life.Failed))
	for _, f := range life.Failed[:min(len(life.Failed), 5)] {
		fmt.Println("  ", f)
	}
	if len(life.Failed) > 0 {
		b.fail("the other tenant was not answered %d times", len(life.Failed))
	}
	if life.Worst > b.options.neighbour {
		b.fail("the other tenant waited %s", ms(life.Worst))
	}
}

// hangUps leaves the slowest calls, and prints how long their work went on.
func (b *battle) hangUps(ctx context.Context) {
	fmt.Println("slowest calls:")
	for _, t := range b.campaign.Slowest()[:min(len(b.campaign.Slowest()), 8)] {
		fmt.Printf("  %8s  %s %d\n", ms(t.Took), t.Call.Target, t.Call.N)
	}
	all := b.campaign.Leave(ctx, b.leave, 30*time.Second)
	var worst time.Duration
	for _, h := range all {
		worst = max(worst, h.Ended)
	}
	fmt.Printf("hang-ups: %d while the server worked, the work ended within %s\n", len(all), ms(worst))
}

// memory compares the server's memory with that after the warm-up.
func (b *battle) memory(ctx context.Context, warm int64) {
	now, err := b.settled(ctx, warm+b.growth<<20)
	if err != nil {
		b.fail("%v", err)
		return
	}
	heap, err := b.server.Heap(ctx, b.campaign.Token)
	if err != nil {
		b.fail("%v", err)
	}
	fmt.Printf("memory: %s after the warm-up, %s after the attack, %s of it objects\n", megabytes(warm), megabytes(now), megabytes(heap))
	if now > warm+b.growth<<20 {
		b.fail("the server holds %s more", megabytes(now-warm))
	}
}

// settled waits until the server holds no more than enough, or for as long as it may take to give memory back, and returns the least
// that it held. The runtime collects at the latest every two minutes.
func (b *battle) settled(ctx context.Context, enough int64) (int64, error) {
	least, err := b.server.Resident()
	for deadline := time.Now().Add(b.settle); err == nil && least > enough && time.Now().Before(deadline) && ctx.Err() == nil; {
		time.Sleep(time.Second)
		var now int64
		now, err = b.server.Resident()
		least = min(least, now)
	}
	return least, err
}

// watchMemory notes the most memory that the server holds until peak is called.
func (b *battle) watchMemory(ctx context.Context) (peak func() int64) {
	watching, stop := context.WithCancel(ctx)
	most := make(chan int64)
	go func() {
		var m int64
		for ; watching.Err() == nil; time.Sleep(50 * time.Millisecond) {
			if now, err := b.server.Resident(); err == nil {
				m = max(m, now)
			}
		}
		most <- m
	}()
	return func() int64 { stop(); return <-most }
}

// log prints the lines of the server's log that no call may cause.
func (b *battle) log() {
	faults := b.server.Faults()
	fmt.Printf("faults in the log: %d\n", len(faults))
	for _, f := range faults[:min(len(faults), 10)] {
		fmt.Printf("  %.400s\n", f)
	}
	b.problems += len(faults)
}

func (b *battle) fail(format string, a ...any) {
	b.problems++
	fmt.Printf("PROBLEM "+format+"\n", a...)
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/(1<<20)) }

func ms(d time.Duration) time.Duration { return d.Round(time.Millisecond) }
