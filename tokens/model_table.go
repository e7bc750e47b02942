package tokens

// modelRow says what a model's prompt can hold, where that was read and when.
type modelRow struct {
	name   string // the beginning of the names it stands for, as [canonicalName] returns them
	family Family
	tokens int // of input: what the window holds, less the longest answer where the provider counts both
	source string
	date   string // when the source was read, or its own date
}

// unknown is what holds for a model that nobody knows: the window that the smallest of today's large models have, and a
// counter that errs upwards.
var unknown = modelRow{"", Other, 128_000, "the smallest window of the models in wide use", "2026-11-21"}

const (
	anthropicDocs = "platform.claude.com/docs/models/overview"
	openaiDocs    = "developers.openai.com/api/docs/models"
	googleDocs    = "ai.google.dev/gemini-api/docs/models"
	moonshotDocs  = "platform.moonshot.ai/docs"
)

// modelTable is what is known of models. The longest name that begins a model's name holds.
var modelTable = []modelRow{
	{"gpt-5", OpenAI, 272_000, openaiDocs, "2026-11-21"},
	{"gpt-4o", OpenAI, 128_000, openaiDocs, "2026-11-21"},
	{"gpt-4", OpenAICl100k, 8_192, openaiDocs, "2026-11-21"},
	{"claude", ClaudeNew, 200_000, anthropicDocs, "2026-11-21"},
	{"claude-opus-4", Claude, 200_000, anthropicDocs, "2026-11-21"},
	{"claude-opus-4-7", ClaudeNew, 200_000, anthropicDocs, "2026-11-21"},
	{"claude-sonnet-4", Claude, 200_000, anthropicDocs, "2026-11-21"},
	{"gemini", Gemini, 1_048_576, googleDocs, "2026-11-21"},
	{"kimi", Kimi, 131_072, moonshotDocs, "2026-11-21"},
}
