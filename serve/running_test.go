package serve

import (
	"context"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
)

// TestRunningCountsTheWork: while a call works it counts, whether its client waits or not, and after a panic it does not.
func TestRunningCountsTheWork(t *testing.T) {
	var running Running
	f := newFixture(t, running.Options()...)
	seen := make(chan int64, 1)
	f.AddResource(mcp.NewResource("test://running", "running"),
		func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			seen <- running.Load()
			return nil, nil
		})
	url := f.serveHandler(t, HTTPOptions{})
	session := begin(t, url)
	ended := make(chan struct{})
	go func() { defer close(ended); send(t, "POST", url, toolCall(2, "wait"), session) }()
	<-f.started
	send(t, "POST", url, rpc(3, "resources/read", map[string]any{"uri": "test://running"}), session)
	if got := <-seen; got != 2 {
		t.Errorf("with a waiting call and a read, Load() = %d, want 2", got)
	}
	close(f.release)
	<-ended
	for _, tool := range []string{"panic", "fail"} {
		send(t, "POST", url, toolCall(4, tool), session)
	}
	if got := running.Load(); got != 0 {
		t.Errorf("after all calls, Load() = %d, want 0", got)
	}
}
