package tokens

// modelRow is the limit of a model's prompt, with its source and date.
type modelRow struct {
	name   string // the beginning of the names that it stands for, as [canonicalName] returns them
	family Family
	tokens int    // the provider's limit of input where it has one, else the window, out of which the answer also comes
	source string // empty: the family goes by the maker's name, and the limit is a careful guess
	date   string // when the source was read, or the date it has itself
}

// unknown stands for a model that nobody knows: the window that the smallest of today's large models have, and the
// counter of the tokenizer that makes the most tokens.
var unknown = modelRow{family: Other, tokens: 128_000}

const (
	anthropic = "platform.claude.com/docs/en/models"
	openai    = "developers.openai.com/api/docs/models"
	google    = "ai.google.dev/gemini-api/docs/models"
	moonshot  = "kimi-k25.com/blog/kimi-k2-5-context-window"
)

// modelTable holds the known models. Of the names that begin a model's name, the longest holds.
var modelTable = []modelRow{
	{"gpt-5", OpenAI, 272_000, openai, "2026-11-21"}, // of 400,000, with 128,000 of output
	{"gpt-5-chat", OpenAI, 128_000, openai, "2026-11-21"},
	{"gpt-5-4", OpenAI, 922_000, "developer.box.com/guides/box-ai/ai-models/openai-gpt-5-4-model-card", "2026-03-05"},
	{"gpt-5-5", OpenAI, 922_000, "docs.oxen.ai/inference-api/reference/models/gpt-5-5-2026-04-23", "2026-04-23"},
	{"gpt-5-6", OpenAI, 922_000, "github.com/openai/codex/issues/37137", "2026-08-31"},
	{"gpt-5-6-luna", OpenAI, 272_000, "github.com/openmodelsrun/openmodels/releases/tag/v1.2.0", "2026-11-21"}, // others say more
	{"gpt-4-1", OpenAI, 1_047_576, openai, "2026-11-21"},
	{"gpt-4o", OpenAI, 128_000, openai, "2026-11-21"},
	{"chatgpt-4o", OpenAI, 128_000, openai, "2026-11-21"},
	{"gpt-oss", OpenAI, 131_072, openai, "2026-11-21"},
	{"o1", OpenAI, 200_000, openai, "2026-11-21"},
	{"o1-mini", OpenAI, 128_000, openai, "2026-11-21"},
	{"o1-preview", OpenAI, 128_000, openai, "2026-11-21"},
	{"o3", OpenAI, 200_000, openai, "2026-11-21"},
	{"o4", OpenAI, 200_000, openai, "2026-11-21"},
	{"gpt", OpenAI, 128_000, "", ""},
	{"gpt-4", OpenAICl100k, 8_192, openai, "2026-11-21"},
	{"gpt-4-32k", OpenAICl100k, 32_768, openai, "2026-11-21"},
	{"gpt-4-turbo", OpenAICl100k, 128_000, openai, "2026-11-21"},
	{"gpt-4-1106-preview", OpenAICl100k, 128_000, openai, "2026-11-21"},
	{"gpt-4-0125-preview", OpenAICl100k, 128_000, openai, "2026-11-21"},
	{"gpt-3-5-turbo", OpenAICl100k, 16_385, openai, "2026-11-21"},
	{"gpt-35-turbo", OpenAICl100k, 16_385, openai, "2026-11-21"}, // as Azure writes it

	{"claude-3", Claude, 200_000, anthropic, "2026-11-21"},
	{"claude-4", Claude, 200_000, anthropic, "2026-11-21"}, // the number in front, as some gateways write it
	{"claude-opus-4", Claude, 200_000, anthropic, "2026-11-21"},
	{"claude-sonnet-4", Claude, 200_000, anthropic, "2026-11-21"},
	{"claude-haiku-4", Claude, 200_000, anthropic, "2026-11-21"},
	{"claude-opus-4-6", Claude, 1_000_000, anthropic + "/opus-4-6/overview", "2026-11-21"},
	{"claude-sonnet-4-6", Claude, 1_000_000, anthropic + "/sonnet-4-6/overview", "2026-11-21"},
	{"claude-4-7", ClaudeNew, 1_000_000, anthropic, "2026-11-21"},
	{"claude-4-8", ClaudeNew, 1_000_000, anthropic + "/opus-4-8/overview", "2026-11-21"},
	{"claude-opus-4-7", ClaudeNew, 1_000_000, anthropic, "2026-11-21"},
	{"claude-opus-4-8", ClaudeNew, 1_000_000, anthropic + "/opus-4-8/overview", "2026-11-21"},
	{"claude-opus-5", ClaudeNew, 1_000_000, anthropic + "/opus-5/overview", "2026-11-21"},
	{"claude-sonnet-5", ClaudeNew, 1_000_000, anthropic + "/overview", "2026-11-21"},
	{"claude-fable-5", ClaudeNew, 1_000_000, anthropic + "/opus-5/overview", "2026-11-21"},
	{"claude", ClaudeNew, 200_000, "", ""},

	{"gemini-1-5-pro", Gemini, 2_097_152, google, "2026-11-21"},
	{"gemini-1-5-flash", Gemini, 1_048_576, google, "2026-11-21"},
	{"gemini-2-0", Gemini, 1_048_576, google + "/gemini-2.0-flash", "2025-02-01"},
	{"gemini-2-5", Gemini, 1_048_576, google, "2026-11-21"},
	{"gemini-3", Gemini, 1_048_576, google, "2026-11-21"},
	{"gemini", Gemini, 1_000_000, "", ""},

	{"kimi-k2", Kimi, 131_072, "chatsking.com/models/kimi-k2", "2026-11-21"},
	{"kimi-k2-0905", Kimi, 262_144, moonshot, "2026-02-03"},
	{"kimi-k2-thinking", Kimi, 262_144, moonshot, "2026-02-03"},
	{"kimi-k2-5", Kimi, 262_144, moonshot, "2026-02-03"},
	{"kimi", Kimi, 131_072, "", ""},
	{"moonshot-v1", Kimi, 8_192, "", ""},
}
