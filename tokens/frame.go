package tokens

// Frame is what a request takes beside its texts, in tokens.
type Frame struct {
	Request int // once, with any message
	Message int // each message, its role and marks
	Call    int // each tool call, beside its name and arguments
	Result  int // each tool result, beside its text
	Tools   int // once, if any tool is defined
}

// What stands in for parts of a request that a caller cannot show, in tokens. Count them where they are at hand.
const (
	SystemOverhead  = 8000 // a system prompt
	ToolsOverhead   = 3000 // the definitions of the tools
	MessageOverhead = 50   // a message of a model that nothing is known of
)
