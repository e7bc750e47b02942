package inmem_test

import (
	"testing"

	"github.com/ctx-mcp/ctx-mcp/storetest"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(*testing.T) storetest.Store { return &inmem.Store{} })
}
