package actions

import (
	"strconv"

	"github.com/ctx-mcp/ctx-mcp"
)

// The sentences of findings.
const (
	saidOutOfScope ctxmcp.Sentence = "{tool} is not in the expected scope: {scope}"
	saidClass      ctxmcp.Sentence = "data of class {class} is accessed, and the request expects {expected} at most"
	saidUnasked    ctxmcp.Sentence = "{tool} follows on {read}, and the user asked for nothing like it"
	saidDrift      ctxmcp.Sentence = "the actions are {mean} from the request on average ({measure}), over {threshold}"
	saidFaster     ctxmcp.Sentence = "the last {count} actions came every {gap}, before it was every {usual}"
	saidLong       ctxmcp.Sentence = "this is action {number}; a chain is long after {limit}"
	saidTooLong    ctxmcp.Sentence = "this is action {number}, over the limit of {limit}"
	saidEcho       ctxmcp.Sentence = "{tool} does what a text in the result of {source} says, which the user did not say ({signs})"
	saidEchoBare   ctxmcp.Sentence = "{tool} does what a text in the result of {source} says, which the user did not ask for ({signs})"
	saidAddress    ctxmcp.Sentence = "the address in {argument} is from a text in a result, and from no field of a record"
	saidTextSays   ctxmcp.Sentence = "{effect} {does}, and not the user but a text in a result says so"
	saidLeak       ctxmcp.Sentence = "what was read of class {class} goes to the address in {argument}, which the user did not name"
)

// The sentences of decisions that are no rule's: those of the queue, and of a model in the place of a person.
const (
	saidApproved      ctxmcp.Sentence = "{user} approved it"
	saidRefused       ctxmcp.Sentence = "{user} refused it"
	saidTimeout       ctxmcp.Sentence = "nobody decided in time"
	saidEnded         ctxmcp.Sentence = "the session ended before anybody decided"
	saidMet           ctxmcp.Sentence = "two decisions on it met, so it is denied"
	saidRoles         ctxmcp.Sentence = "the caller no longer has the roles with which the action was submitted"
	saidDependsDenied ctxmcp.Sentence = "it depends on the action {action}, which was denied"
	saidDependsWaits  ctxmcp.Sentence = "it depends on the action {action}, which waits for a decision"
	saidTooMany       ctxmcp.Sentence = "{count} actions of the session wait for a decision already"
	saidModel         ctxmcp.Sentence = "a model was asked in the place of a person, and allowed it; the question was: {why}"
	saidUser          ctxmcp.Sentence = " The user said: “{said}”"
)

// findingSentences lists the table of findings, and queueSentences that of decisions: tests read the answers to random sessions by them.
func findingSentences() []ctxmcp.Sentence {
	return []ctxmcp.Sentence{
		saidOutOfScope, saidClass, saidUnasked, saidDrift, saidFaster, saidLong, saidTooLong, saidEcho, saidEchoBare, saidAddress, saidTextSays, saidLeak,
	}
}

func queueSentences() []ctxmcp.Sentence {
	return []ctxmcp.Sentence{saidApproved, saidRefused, saidTimeout, saidEnded, saidMet, saidRoles, saidDependsDenied, saidDependsWaits, saidTooMany, saidModel}
}

// finds returns a finding without evidence.
func finds(s ctxmcp.Sentence, values ...string) []ctxmcp.Finding {
	return []ctxmcp.Finding{{Why: s.With(values...)}}
}

// hundredths writes a measure.
func hundredths(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }
