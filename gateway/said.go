package gateway

import "github.com/ctx-mcp/ctx-mcp"

// The sentences that the gateway writes in place of a result, or beside one.
const (
	saidAmbiguous ctxmcp.Sentence = "ctx-mcp: the name {name} could mean more than one tool: call {names}."
	saidRefused   ctxmcp.Sentence = "ctx-mcp: {tool} is not offered: {reason}."
	saidTooLarge  ctxmcp.Sentence = "ctx-mcp: the arguments are larger than 1 MiB; send them in parts."
	saidChanged   ctxmcp.Sentence = "[ctx-mcp changed the arguments of this call: {why} It was made with {arguments}]"
	saidDenied    ctxmcp.Sentence = "ctx-mcp: {why} The call was not made."
	saidAskUser   ctxmcp.Sentence = "ctx-mcp: {why} The call was not made. Only the user can decide on it: ask the user to run ctx-mcp review and decide on {review}, " +
		"then make the call again; or to tell you in plain words what to do."
	saidUnjudged     ctxmcp.Sentence = "ctx-mcp: the call was not made, because it could not be judged: {fault}."
	saidUnjudgedHere ctxmcp.Sentence = "ctx-mcp: the call was not made, because it could not be judged."
	saidNotMade      ctxmcp.Sentence = "ctx-mcp: {fault}. The call was not carried out."
	saidNotKnown     ctxmcp.Sentence = "ctx-mcp: {fault}. Whether the call was carried out is not known."
	saidNotShown     ctxmcp.Sentence = "ctx-mcp: the call was made, but its result could not be made fit to be shown."
	saidNotRead      ctxmcp.Sentence = "ctx-mcp: {why} The resource was not read."
	saidNoTool       ctxmcp.Sentence = "ctx-mcp: there is no such tool; find_tools finds those that there are."
	saidCallWrite    ctxmcp.Sentence = "ctx-mcp: {tool} does not say that it changes nothing: call it with call_write."
)

// sentences lists the table: TestEverySentenceIsTrue reads the answers of the gateway by it.
func sentences() []ctxmcp.Sentence {
	return []ctxmcp.Sentence{
		saidAmbiguous, saidRefused, saidTooLarge, saidChanged, saidDenied, saidAskUser, saidUnjudged, saidUnjudgedHere, saidNotMade, saidNotKnown, saidNotShown,
		saidNotRead, saidNoTool, saidCallWrite,
	}
}
