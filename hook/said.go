package hook

import "github.com/ctx-mcp/ctx-mcp"

// The sentences that hooks add to a model's context, or show to the client's user.
const (
	saidDecision   ctxmcp.Sentence = "ctx-mcp: {why} (rule {rule})."
	saidArguments  ctxmcp.Sentence = " Call it with these arguments instead: {arguments}"
	saidAskUser    ctxmcp.Sentence = " Only the user can decide on this: ask the user to do it, or to tell you to in plain words. The review is {review}."
	saidUnasked    ctxmcp.Sentence = "ctx-mcp could not be asked: {fault}."
	saidDenied     ctxmcp.Sentence = " The call is denied, as hooks.fail is {policy}."
	saidGoesOn     ctxmcp.Sentence = " The call goes on, as hooks.fail is {policy}."
	saidOwnGoesOn  ctxmcp.Sentence = " The call goes on, as it is one of ctx-mcp's own."
	saidReadGoesOn ctxmcp.Sentence = " The call goes on, as it only reads by its name, and hooks.fail is {policy}."
	saidWithheld   ctxmcp.Sentence = " The result is withheld, as hooks.fail is {policy}."
	saidUnread     ctxmcp.Sentence = "ctx-mcp could not read the call"
	saidMemory     ctxmcp.Sentence = "What memory holds of the user and the project:\n{brief}"
	saidCopy       ctxmcp.Sentence = "A copy of what the user said in this session, in order, from before the compaction:\n{said}"
	saidNoText     ctxmcp.Sentence = "[left out: {count} parts that are no text]"
)

// sentences lists the table: every text of an answer is made of it, and TestEverySentenceIsTrue reads answers to random events by it.
func sentences() []ctxmcp.Sentence {
	return []ctxmcp.Sentence{
		saidDecision, saidArguments, saidAskUser, saidUnasked, saidDenied, saidGoesOn, saidOwnGoesOn, saidReadGoesOn, saidWithheld, saidUnread, saidMemory, saidCopy,
		saidNoText,
	}
}
