package tools

import (
	"slices"
	"strings"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/ctx-mcp/ctx-mcp"
)

// Scopes of access tokens are a toolset, a colon, and one of these words. A tool that changes something needs both of its toolset:
// its answer shows what is there.
const (
	readScope  = ":read"
	writeScope = ":write"
)

// GatewayScope stands in the place of a toolset, for the tools of other servers.
const GatewayScope = "gateway"

// Scopes returns all scopes that calls of the tools can need, those that read first; with those of the gateway if it is behind one.
func Scopes(offered []Tool, gateway bool) (reading, writing []string) {
	sets := []string{string(MemoryTools), string(ArtifactTools)} // resources and prompts are theirs
	for _, t := range offered {
		sets = append(sets, string(t.Toolset))
	}
	if gateway {
		sets = append(sets, GatewayScope)
	}
	slices.Sort(sets)
	for _, set := range slices.Compact(sets) {
		reading, writing = append(reading, set+readScope), append(writing, set+writeScope)
	}
	return reading, writing
}

// scopesByTool returns the scopes of every tool, by name.
var scopesByTool = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for _, t := range All() {
		all[t.Name] = scopesOf(string(t.Toolset), t.ReadOnly())
	}
	return all
})

func scopesOf(set string, reads bool) []string {
	if reads {
		return []string{set + readScope}
	}
	return []string{set + readScope, set + writeScope}
}

// free are the requests that show and change nothing of a user.
var free = []mcp.MCPMethod{
	"", mcp.MethodInitialize, mcp.MethodPing, "server/discover", mcp.MethodSetLogLevel, mcp.MethodSubscriptionsListen,
	mcp.MethodToolsList, mcp.MethodPromptsList, mcp.MethodResourcesList, mcp.MethodResourcesTemplatesList,
}

// ScopesOf returns the scopes that a request needs, all of them: name is that of the tool or prompt, uri that of the resource. A request that
// nobody here knows is another server's, and needs those of the gateway.
func ScopesOf(method, name, uri string) []string {
	elsewhere := scopesOf(GatewayScope, false)
	switch mcp.MCPMethod(method) {
	case mcp.MethodToolsCall:
		if own, ok := scopesByTool()[name]; ok {
			return own
		}
		return elsewhere
	case mcp.MethodPromptsGet:
		if name == "brief" {
			return scopesOf(string(MemoryTools), true)
		}
	case mcp.MethodResourcesRead, "resources/subscribe", "resources/unsubscribe":
		switch {
		case uri == BriefURI:
			return scopesOf(string(MemoryTools), true)
		case strings.HasPrefix(uri, ctxmcp.ArtifactScheme):
			return scopesOf(string(ArtifactTools), true)
		}
	default:
		if slices.Contains(free, mcp.MCPMethod(method)) || strings.HasPrefix(method, "notifications/") {
			return nil
		}
		return elsewhere
	}
	return scopesOf(GatewayScope, true)
}
