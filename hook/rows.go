package hook

import "slices"

// Moment is the meaning of an event.
type Moment string

// The moments.
const (
	SessionStarts  Moment = "session starts"
	PromptComes    Moment = "prompt comes"
	BeforeTool     Moment = "before a tool"
	AfterTool      Moment = "after a tool"
	BeforeCompact  Moment = "before a compaction"
	SessionEnds    Moment = "session ends"
	contextWasLost        = "compact" // the source of a session start after a compaction
)

// Row says what an event of a client means.
type Row struct {
	Client, Event string
	Moment        Moment
	Failed        bool   // the event of a tool that failed
	Source        string // where that is documented, or what was run
}

const (
	claudeSource   = "code.claude.com/docs/en/hooks, 2026-11"
	codexSource    = "run with Codex CLI 0.169.0, 2026-11-22"
	geminiSource   = "run with Gemini CLI 0.61.0, 2026-11-22"
	qwenSource     = "run with Qwen Code 0.24.4, 2026-11-22"
	opencodeSource = "run with opencode 1.18.33, 2026-11-22"
	clineSource    = "run with cline 3.0.65, 2026-11-22; docs.cline.bot/features/hooks/hook-reference, 2026-11"
	cursorSource   = "cursor.com/docs/hooks, 2026-11; not run"
	vscodeSource   = "code.visualstudio.com/docs/agents/reference/hooks-reference, 2026-10; not run"
)

// Rows returns the table of events. Of opencode the events are those that the plugin sends.
func Rows() []Row {
	return []Row{
		{"claude-code", "SessionStart", SessionStarts, false, claudeSource},
		{"claude-code", "UserPromptSubmit", PromptComes, false, claudeSource},
		{"claude-code", "PreToolUse", BeforeTool, false, claudeSource},
		{"claude-code", "PostToolUse", AfterTool, false, claudeSource},
		{"claude-code", "PostToolUseFailure", AfterTool, true, claudeSource},
		{"claude-code", "PreCompact", BeforeCompact, false, claudeSource},
		{"claude-code", "SessionEnd", SessionEnds, false, claudeSource},
		{"codex", "SessionStart", SessionStarts, false, codexSource},
		{"codex", "UserPromptSubmit", PromptComes, false, codexSource},
		{"codex", "PreToolUse", BeforeTool, false, codexSource},
		{"codex", "PostToolUse", AfterTool, false, codexSource},
		{"codex", "PreCompact", BeforeCompact, false, codexSource},
		{"codex", "SessionEnd", SessionEnds, false, codexSource},
		{"gemini", "SessionStart", SessionStarts, false, geminiSource},
		{"gemini", "BeforeAgent", PromptComes, false, geminiSource},
		{"gemini", "BeforeTool", BeforeTool, false, geminiSource},
		{"gemini", "AfterTool", AfterTool, false, geminiSource},
		{"gemini", "SessionEnd", SessionEnds, false, geminiSource},
		{"qwen", "SessionStart", SessionStarts, false, qwenSource},
		{"qwen", "UserPromptSubmit", PromptComes, false, qwenSource},
		{"qwen", "PreToolUse", BeforeTool, false, qwenSource},
		{"qwen", "PostToolUse", AfterTool, false, qwenSource},
		{"qwen", "PostToolUseFailure", AfterTool, true, qwenSource},
		{"qwen", "PreCompact", BeforeCompact, false, qwenSource},
		{"qwen", "SessionEnd", SessionEnds, false, qwenSource},
		{"opencode", "SessionStart", SessionStarts, false, opencodeSource},
		{"opencode", "UserPromptSubmit", PromptComes, false, opencodeSource},
		{"opencode", "PreToolUse", BeforeTool, false, opencodeSource},
		{"opencode", "PostToolUse", AfterTool, false, opencodeSource},
		{"opencode", "PreCompact", BeforeCompact, false, opencodeSource},
		{"opencode", "SessionEnd", SessionEnds, false, opencodeSource},
		{"cline", "TaskStart", SessionStarts, false, clineSource},
		{"cline", "TaskResume", SessionStarts, false, clineSource},
		{"cline", "UserPromptSubmit", PromptComes, false, clineSource},
		{"cline", "PreToolUse", BeforeTool, false, clineSource},
		{"cline", "PostToolUse", AfterTool, false, clineSource},
		{"cline", "PreCompact", BeforeCompact, false, clineSource},
		{"cline", "SessionShutdown", SessionEnds, false, clineSource},
		{"cursor", "sessionStart", SessionStarts, false, cursorSource},
		{"cursor", "beforeSubmitPrompt", PromptComes, false, cursorSource},
		{"cursor", "preToolUse", BeforeTool, false, cursorSource},
		{"cursor", "postToolUse", AfterTool, false, cursorSource},
		{"cursor", "postToolUseFailure", AfterTool, true, cursorSource},
		{"cursor", "preCompact", BeforeCompact, false, cursorSource},
		{"cursor", "sessionEnd", SessionEnds, false, cursorSource},
		{"vscode", "SessionStart", SessionStarts, false, vscodeSource},
		{"vscode", "UserPromptSubmit", PromptComes, false, vscodeSource},
		{"vscode", "PreToolUse", BeforeTool, false, vscodeSource},
		{"vscode", "PostToolUse", AfterTool, false, vscodeSource},
		{"vscode", "PreCompact", BeforeCompact, false, vscodeSource},
	}
}

// Clients lists the clients of the table.
func Clients() []string {
	var names []string
	for _, r := range Rows() {
		if !slices.Contains(names, r.Client) {
			names = append(names, r.Client)
		}
	}
	return names
}

// Events lists the events of a client.
func Events(client string) []string {
	var names []string
	for _, r := range Rows() {
		if r.Client == client {
			names = append(names, r.Event)
		}
	}
	return names
}

func rowOf(client, event string) (Row, bool) {
	for _, r := range Rows() {
		if r.Client == client && r.Event == event {
			return r, true
		}
	}
	return Row{}, false
}
