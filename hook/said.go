package hook

import "strings"

// sentence is a form of the sentences that hooks add to a model's context, or show to the client's user. Words in braces are filled in. Every sentence
// of an answer has a form of the table: a test reads answers to random events by it, and checks each against its source.
type sentence string

// The sentences.
const (
	saidDecision   sentence = "ctx-mcp: {why} (rule {rule})."
	saidArguments  sentence = " Call it with these arguments instead: {arguments}"
	saidAskUser    sentence = " Only the user can decide on this: ask the user to do it, or to tell you to in plain words. The review is {review}."
	saidUnasked    sentence = "ctx-mcp could not be asked: {fault}."
	saidDenied     sentence = " The call is denied, as hooks.fail is {policy}."
	saidGoesOn     sentence = " The call goes on, as hooks.fail is {policy}."
	saidOwnGoesOn  sentence = " The call goes on, as it is one of ctx-mcp's own."
	saidReadGoesOn sentence = " The call goes on, as it only reads by its name, and hooks.fail is {policy}."
	saidWithheld   sentence = " The result is withheld, as hooks.fail is {policy}."
	saidUnread     sentence = "ctx-mcp could not read the call"
	saidMemory     sentence = "What memory holds of the user and the project:\n{brief}"
	saidCopy       sentence = "A copy of what the user said in this session, in order, from before the compaction:\n{said}"
	saidNoText     sentence = "[left out: {count} parts that are no text]"
)

// sentences lists the table.
func sentences() []sentence {
	return []sentence{
		saidDecision, saidArguments, saidAskUser, saidUnasked, saidDenied, saidGoesOn, saidOwnGoesOn, saidReadGoesOn, saidWithheld, saidUnread, saidMemory, saidCopy,
		saidNoText,
	}
}

// with returns the sentence with its braces filled in, in their order.
func (s sentence) with(values ...string) string {
	text, rest := "", string(s)
	for _, v := range values {
		before, behind, _ := strings.Cut(rest, "{")
		_, behind, _ = strings.Cut(behind, "}")
		text, rest = text+before+v, behind
	}
	return text + rest
}
