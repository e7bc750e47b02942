package serve

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

func TestCallRightBehindInitialize(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var slow server.Hooks
		slow.AddBeforeInitialize(func(context.Context, any, *mcp.InitializeRequest) { time.Sleep(time.Second) })
		got := brief(pipe(t, newFixture(t, server.WithHooks(&slow)), StdioOptions{},
			initialize, rpc(0, "notifications/initialized", nil), toolCall(2, "count", "n", 2)))
		same(t, "initialize and a call", []string{
			"1 result", "notifications/progress", "notifications/progress", "2 counted",
		}, got)
	})
}

func TestCancellationRightBehindItsCallWorks(t *testing.T) {
	for range 50 {
		f := newFixture(t)
		got := pipe(t, f, StdioOptions{Grace: time.Hour}, toolCall(2, "wait"),
			rpc(0, cancelled, map[string]any{"requestId": 3}), rpc(0, cancelled, map[string]any{"requestId": 2}))
		same(t, "a cancelled call", nil, brief(got))
	}
}

func TestWhatIsWrittenFirstIsSeenByWhatFollows(t *testing.T) {
	f := newFixture(t)
	value := ""
	f.AddTool(mcp.NewTool("set"), func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		value = r.GetString("to", "")
		return mcp.NewToolResultText("set"), nil
	})
	f.AddTool(mcp.NewTool("get", mcp.WithReadOnlyHintAnnotation(true)),
		func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText(value), nil
		})
	var lines, want []string
	for i := range 50 {
		lines = append(lines, toolCall(2*i, "set", "to", fmt.Sprint(i)), toolCall(2*i+1, "get"))
		want = append(want, fmt.Sprint(2*i, " set"), fmt.Sprint(2*i+1, " ", i))
	}
	lines[0], want[0] = toolCall(1000, "set", "to", "0"), "1000 set" // rpc takes the id 0 for none
	same(t, "set and get", want, brief(pipe(t, f, StdioOptions{}, lines...)))
}

func TestReadsRunSideBySideAndChangesDoNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.AddTool(mcp.NewTool("change"), f.wait)
		c := startStdio(t, f)
		c.write(toolCall(1, "wait", "name", "read 1"), toolCall(2, "wait", "name", "read 2"))
		c.write(toolCall(3, "change", "name", "change 3"), toolCall(4, "wait", "name", "read 4"))
		c.write(toolCall(5, "change", "name", "change 5"))
		synctest.Wait()
		c.expectStarted(f, "read 1", "read 2")
		c.write(rpc(6, "ping", nil)) // waits for nobody
		synctest.Wait()
		same(t, "while calls wait", []string{"6 result"}, brief(c.read()))

		c.write(rpc(0, cancelled, map[string]any{"requestId": 3})) // read 4 must not overtake the reads before change 3
		synctest.Wait()
		c.expectStarted(f)
		close(f.release)
		synctest.Wait()
		c.expectStarted(f, "change 5", "read 4")
		got := brief(c.read())
		slices.Sort(got)
		same(t, "in the end", []string{"1 finished", "2 finished", "4 finished", "5 finished"}, got)
		c.end()
	})
}

func TestPanicOutsideOfToolsIsContained(t *testing.T) {
	var hooks server.Hooks
	hooks.AddBeforeAny(func(_ context.Context, _ any, method mcp.MCPMethod, _ any) {
		if method == mcp.MethodPing {
			panic(secret)
		}
	})
	got := pipe(t, newFixture(t, server.WithHooks(&hooks)), StdioOptions{}, rpc(4, "ping", nil))
	want := `{"jsonrpc":"2.0","id":4,"error":{"code":-32603,"message":"` + errInternal.Error() + `"}}`
	same(t, "a panic in a hook", []string{want}, got)
}
