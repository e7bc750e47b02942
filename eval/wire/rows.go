package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// bench is what rows are measured with.
type bench struct {
	server, peer string
	runs, held   int
	work         string // a folder for data
	filled       string // a data directory with memories, once a row has wanted it
}

// measured is one figure, and the milliseconds of processor time of a call in it; 0 where none is counted.
type measured struct{ value, processor float64 }

// row is one kind of work. Where peer is set it is the peer's, for comparison.
type row struct {
	name, unit string
	least, aim float64 // goals; 0: none
	peer       bool
	measure    func(context.Context, *bench) (measured, error)
}

var rows = []row{
	{"start to first tools/list, existing data", "ms", 25, 15, false, startOn(false)},
	{"start to first tools/list, new data", "ms", 40, 25, false, startOn(true)},
	{"write and fdatasync of 4 KB in a row", "/s", 0, 0, false, syncs},
	{"remember, stdio, one caller", "ms p50", 1.5, 0, false, remember},
	{"server-memory: add_observations, one caller", "ms p50", 0, 0, true, peerRemember},
	{"remember, HTTP, 32 callers", "/s", 3000, 0, false, rememberMany},
	{"recall, a question", "ms p50", 2, 1, false, recall},
	{"wrap_tool_result, log of 29 KB", "ms p50", 2, 1, false, wrap(29 << 10)},
	{"wrap_tool_result, log of 5 MB", "ms p50", 120, 60, false, wrap(5 << 20)},
	{"put_artifact, 27 MB", "ms p50", 400, 0, false, put(27 << 20)},
	{"compile_context, 42 candidates of 42 held", "ms p50", 5, 3, false, compileFew},
	{"compile_context, 333 candidates of those held", "ms p50", 15, 8, false, compile},
	{"reduce_messages, a million tokens", "ms p50", 400, 150, false, reduce},
}

// on starts the binary on a data directory.
func (b *bench) on(dir string) (*server, error) { return start(b.server, "stdio", "--data-dir", dir) }

// data returns a data directory that holds the memories, made the first time.
func (b *bench) data() (string, error) {
	if b.filled == "" {
		dir := filepath.Join(b.work, "held")
		if err := b.fill(dir, b.held); err != nil {
			return "", err
		}
		b.filled = dir
	}
	return b.filled, nil
}

// fill imports so many memories about crates into a data directory.
func (b *bench) fill(dir string, held int) error {
	var lines strings.Builder
	for i := range held {
		fmt.Fprintf(&lines, `{"type":"entity","name":"Crate %d","entityType":"crate","observations":["Crate %d of the %s line stands in harbour %d since week %d of the year."]}`+"\n", i, i, []string{"north", "south", "east"}[i%3], i%97, i%52)
	}
	file := filepath.Join(b.work, "memories.jsonl")
	if err := os.WriteFile(file, []byte(lines.String()), 0o600); err != nil {
		return err
	}
	return run(b.server, "import", "--data-dir", dir, "--in", file, "--format", "server-memory")
}

func startOn(fresh bool) func(context.Context, *bench) (measured, error) {
	return func(_ context.Context, b *bench) (measured, error) {
		dir := filepath.Join(b.work, "kept")
		if fresh {
			var err error
			if dir, err = os.MkdirTemp(b.work, "new"); err != nil {
				return measured{}, err
			}
		}
		began := time.Now()
		s, err := b.on(dir)
		if err != nil {
			return measured{}, err
		}
		_, err = s.ask("tools/list", map[string]any{})
		took := ms(time.Since(began))
		used := processor(s.cmd.Process.Pid)
		if stopped := s.stop(); err == nil {
			err = stopped
		}
		return measured{took, used}, err
	}
}

// syncs counts writes that each wait for the disk, for a second.
func syncs(_ context.Context, b *bench) (measured, error) {
	f, err := os.Create(filepath.Join(b.work, "raw"))
	if err != nil {
		return measured{}, err
	}
	defer f.Close()
	block, n, began := make([]byte, 4096), 0, time.Now()
	for ; time.Since(began) < time.Second; n++ {
		if _, err := f.Write(block); err != nil {
			return measured{}, err
		}
		if err := f.Sync(); err != nil {
			return measured{}, err
		}
	}
	return measured{value: float64(n) / time.Since(began).Seconds()}, nil
}

// repeated makes calls of a server and returns the median of their time and the processor time of one.
func repeated(s *server, times int, tool string, arguments func(i int) map[string]any) (measured, error) {
	for i := range 3 { // the first ones open what later ones use
		if _, err := s.timed(tool, arguments(-1-i)); err != nil {
			return measured{}, err
		}
	}
	before := processor(s.cmd.Process.Pid)
	all := make([]float64, times)
	for i := range all {
		var err error
		if all[i], err = s.timed(tool, arguments(i)); err != nil {
			return measured{}, err
		}
	}
	used := processor(s.cmd.Process.Pid) - before
	slices.Sort(all)
	return measured{all[times/2], used / float64(times)}, nil
}

// within starts the binary on the memories, and makes calls of it.
func within(b *bench, times int, tool string, arguments func(i int) map[string]any) (measured, error) {
	dir, err := b.data()
	if err != nil {
		return measured{}, err
	}
	return asked(b, dir, times, tool, arguments)
}

// asked starts the binary on a data directory, and makes calls of it.
func asked(b *bench, dir string, times int, tool string, arguments func(i int) map[string]any) (measured, error) {
	s, err := b.on(dir)
	if err != nil {
		return measured{}, err
	}
	m, err := repeated(s, times, tool, arguments)
	if stopped := s.stop(); err == nil {
		err = stopped
	}
	return m, err
}

var told int // a number that no statement has had

func statement(int) map[string]any {
	told++
	return map[string]any{"content": fmt.Sprintf("Parcel %d was booked by Nora %d for the ferry of week %d.", told, told%31, told%52)}
}

func remember(_ context.Context, b *bench) (measured, error) {
	return within(b, 200, "remember", statement)
}

func peerRemember(_ context.Context, b *bench) (measured, error) {
	file, err := os.CreateTemp(b.work, "peer*.jsonl")
	if err != nil {
		return measured{}, err
	}
	defer file.Close()
	for i := range b.held {
		fmt.Fprintf(file, `{"type":"entity","name":"Crate %d","entityType":"crate","observations":["It stands in harbour %d since week %d of the year."]}`+"\n", i, i%97, i%52)
	}
	s, err := start("env", "MEMORY_FILE_PATH="+file.Name(), "node", b.peer)
	if err != nil {
		return measured{}, err
	}
	m, err := repeated(s, 100, "add_observations", func(i int) map[string]any {
		return map[string]any{"observations": []any{map[string]any{"entityName": "Crate 7", "contents": []string{fmt.Sprint("It was moved ", i+told, " times.")}}}}
	})
	_ = s.stop() // the peer ends by the signal that follows the end of its input
	return m, err
}

var questions = []string{
	"Which harbour has crate %d?", "Where does crate %d stand?", "Since when is crate %d in its place?", "What do we know about crate %d of the north line?",
}

func recall(_ context.Context, b *bench) (measured, error) {
	return within(b, 200, "recall", func(i int) map[string]any {
		return map[string]any{"query": fmt.Sprintf(questions[(i+4)%4], (i+4)*37%b.held)}
	})
}

// logOf writes a log of so many bytes, with a few lines that stand out.
func logOf(size int) string {
	var log strings.Builder
	for i := 0; log.Len() < size; i++ {
		level, said := "INFO", "request handled"
		if i%997 == 500 {
			level, said = "ERROR", "order refused: the card has expired"
		}
		fmt.Fprintf(&log, "2026-03-01T10:%02d:%02dZ %s worker-%d order=%d took=%dms %s\n", i/60%60, i%60, level, i%8, 10_000+i, i*7919%400, said)
	}
	return log.String()
}

func wrap(size int) func(context.Context, *bench) (measured, error) {
	return func(_ context.Context, b *bench) (measured, error) {
		log, times := logOf(size), max(3, min(100, 3<<20/size))
		return within(b, times, "wrap_tool_result", func(i int) map[string]any {
			return wrapped(i, log)
		})
	}
}

func wrapped(i int, log string) map[string]any {
	return map[string]any{"tool_call_id": fmt.Sprint("call_", i+10), "tool": "read_log", "result": fmt.Sprint("run ", told, i, "\n", log)}
}

// result returns the arguments of a wrap of a log of so many bytes.
func result(size int) func(i int) map[string]any {
	log := sync.OnceValue(func() string { return logOf(size) })
	return func(i int) map[string]any { return wrapped(i, log()) }
}

func put(size int) func(context.Context, *bench) (measured, error) {
	return func(_ context.Context, b *bench) (measured, error) {
		return within(b, 3, "put_artifact", artifact(size))
	}
}

// artifact returns the arguments of an artifact of so many bytes, none of which is another's.
func artifact(size int) func(int) map[string]any {
	log := sync.OnceValue(func() string { return logOf(size) })
	return func(int) map[string]any {
		told++
		return map[string]any{"artifact_type": "log", "content": fmt.Sprint("run ", told, "\n", log())}
	}
}

// asksOfCrates returns the arguments of compiles after twenty messages. Each memory is a candidate, up to a twelfth of max_tokens.
func asksOfCrates(held int) func(i int) map[string]any {
	messages := []any{}
	for i := range 20 {
		messages = append(messages, map[string]any{"role": []string{"user", "assistant"}[i%2], "content": fmt.Sprintf("Step %d: we look at crate %d and at its harbour.", i, i*37)})
	}
	return func(i int) map[string]any {
		return map[string]any{"messages": messages, "user_message": fmt.Sprintf("Which harbour has crate %d, and since when?", (i+4)*37%held), "max_tokens": 4000}
	}
}

func compile(_ context.Context, b *bench) (measured, error) {
	return within(b, 60, "compile_context", asksOfCrates(b.held))
}

// compileFew compiles on a store that holds as many memories as are candidates.
func compileFew(_ context.Context, b *bench) (measured, error) {
	const few = 42
	dir := filepath.Join(b.work, "few")
	if err := os.RemoveAll(dir); err != nil {
		return measured{}, err
	}
	if err := b.fill(dir, few); err != nil {
		return measured{}, err
	}
	return asked(b, dir, 60, "compile_context", asksOfCrates(few))
}

// conversationOf returns messages of so many bytes in all, about four to a token.
func conversationOf(bytes int) (messages []any) {
	for size, i := 0, 0; size < bytes; i++ {
		text := fmt.Sprintf("Message %d. ", i) + logOf(6000)[i%400:]
		messages = append(messages, map[string]any{"role": []string{"user", "assistant"}[i%2], "content": text})
		size += len(text)
	}
	return messages
}

func reduce(_ context.Context, b *bench) (measured, error) {
	return within(b, 3, "reduce_messages", reduction(4<<20, 100_000))
}

// reduction returns the arguments of a reduction of messages of so many bytes.
func reduction(bytes, target int) func(int) map[string]any {
	messages := sync.OnceValue(func() []any { return conversationOf(bytes) })
	return func(int) map[string]any {
		return map[string]any{"messages": messages(), "target_tokens": target, "dry_run": true}
	}
}
