package tokens

// Family is the models that share a tokenizer.
type Family string

// The families. The names are stored and shown: they are only added to.
const (
	OpenAI       Family = "openai"        // GPT-4o and later, the o series
	OpenAICl100k Family = "openai-cl100k" // GPT-4 and GPT-3.5
	Claude       Family = "claude"        // Claude 3 to Opus 4.6
	ClaudeNew    Family = "claude-4.7"    // Opus 4.7 and later, Sonnet 5, Fable
	Gemini       Family = "gemini"
	Kimi         Family = "kimi"
	Other        Family = "default" // models that nothing is known of
)

// family holds the counter and the figures of the models of a family.
type family struct {
	counter Bounded
	ratio   CharRatio // stands in for the counter
	frame   Frame
}

// families says how each family counts. The frames of OpenAI are those of its cookbook; of Claude and Gemini they were
// measured on the usage that the providers reported, and the prompt that Claude gets with tools is documented.
var families = map[Family]family{
	OpenAI:       {o200k, OpenAIRatio, Frame{Request: 3, Message: 3, Call: 6, Result: 3, Tools: 12}},
	OpenAICl100k: {cl100k, OpenAIRatio, Frame{Request: 3, Message: 3, Call: 6, Result: 3, Tools: 12}},
	Claude:       {claudeEstimate, ClaudeRatio, Frame{Request: 3, Message: 8, Call: 12, Result: 12, Tools: 346}},
	ClaudeNew:    {claudeNewEstimate, ClaudeRatio, Frame{Request: 3, Message: 8, Call: 12, Result: 12, Tools: 346}},
	Gemini:       {geminiEstimate, GeminiRatio, Frame{Message: 2, Call: 4, Result: 4}},
	Kimi:         {kimiEstimate, KimiRatio, Frame{Request: 3, Message: 4, Call: 8, Result: 6, Tools: 12}},
	Other:        {defaultEstimate, DefaultRatio, Frame{Message: MessageOverhead, Call: 12, Result: 12, Tools: 346}},
}
