package tokens

// Frame holds the sizes of the parts of a request beside its texts, in tokens.
type Frame struct {
	Request int // once, with any message
	Message int // each message, its role and marks
	Call    int // each tool call, beside its name and arguments
	Result  int // each tool result, beside its text
	Tools   int // once, if any tool is defined
}

// The sizes assumed for parts of a request that a caller cannot show, in tokens. Count the parts if they are at hand.
const (
	SystemOverhead  = 8000 // a system prompt
	ToolsOverhead   = 3000 // the definitions of the tools
	MessageOverhead = 50   // a message of a model that nothing is known of
)
