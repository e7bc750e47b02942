package gateway

import (
	"sync"
	"testing"
	"time"

	"github.com/ctx-mcp/ctx-mcp/serve"
)

// TestAnsweredOnceShown: a server counts as answered when its tools can be called, not already when the catalogue holds them.
func TestAnsweredOnceShown(t *testing.T) {
	gw, _ := newGateway(t, map[string]Server{"web": script{Offer: offering(`{"name":"echo","inputSchema":{"type":"object"}}`)}.server(t)}, Options{})
	t.Cleanup(func() { gw.Close(t.Context()) })
	var once sync.Once
	between := make(chan []string, 1)
	gw.pins.Now = func() time.Time { // called once the catalogue is kept, before the view is made
		once.Do(func() { between <- gw.unanswered() })
		return time.Now()
	}
	gw.warm(serve.Peer{Caller: ann, Lasting: true})
	if got := <-between; len(got) != 1 {
		t.Errorf("unanswered = %v between the catalogue and the view", got)
	}
	gw.awaitUnseen(t.Context())
	if got := gw.unanswered(); len(got) != 0 || len(gw.view.Load().tools) == 0 {
		t.Errorf("unanswered = %v, %d tools in the view afterwards", got, len(gw.view.Load().tools))
	}
}
