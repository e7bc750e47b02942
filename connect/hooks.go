package connect

import (
	"slices"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// Hooks are the events of a client that a command answers.
type Hooks struct {
	Command []string // the program and its arguments
	Events  []string
}

// hooking says where a client has its hooks, and in which form. Without files of its own they stand in the file of the servers.
type hooking struct {
	user    byPlatform
	project []string
	format  format
	edits   func(c Client, h Hooks) []edit
	next    string
}

// commandHooks returns the edits of the form that Claude Code began: a list of groups for each event. unit is a second in the client's
// measure of time.
func commandHooks(unit int) func(Client, Hooks) []edit {
	return func(c Client, h Hooks) []edit {
		var all []edit
		for _, event := range h.Events {
			run := Fields{{"type", "command"}, {"command", shellLine(h.Command)}, {"timeout", 30 * unit}}
			all = append(all, edit{
				at: []string{"hooks", event}, mine: func(v any) bool { return answers(v, c) }, want: Fields{{"hooks", []any{run}}},
			})
		}
		return all
	}
}

// answers reports whether a hook is the command that answers the client's events.
func answers(v any, c Client) bool {
	return strings.Contains(oneLine(v), " hook "+c.Name+" --data-dir=")
}

// shellLine returns a command as one line for a POSIX shell.
func shellLine(words []string) string {
	words = slices.Clone(words)
	for i, w := range words {
		if strings.ContainsAny(w, " '\"$&|;<>()*?#~`\\") {
			words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

// pluginHooks returns the edit that makes the whole file the plugin of opencode.
func pluginHooks(_ Client, h Hooks) []edit {
	return []edit{{name: Name, want: strings.Replace(plugin, "COMMAND", oneLine(h.Command), 1)}}
}

// wholeFile is a file that is the entry.
type wholeFile struct{}

func (wholeFile) read(text string) (map[string]any, error) {
	if text == "" {
		return map[string]any{}, nil
	}
	return map[string]any{Name: text}, nil
}

func (wholeFile) apply(_ string, e edit) (string, error) {
	text, _ := e.want.(string)
	return text, nil
}

func (wholeFile) show(e edit) string { text, _ := e.want.(string); return text }
func (wholeFile) begin() string      { return "" }

// file is a file of a client, with the entries that connect writes into it.
type file struct {
	path   string
	format format
	edits  []edit
}

// files returns the files of a scope: of the servers, and of the hooks where these have a file of their own. It fails if the client has
// none of the first, or no hooks where some are wanted.
func (p Place) files(c Client, s Scope, entry any, hooks *Hooks) ([]file, error) {
	servers := file{p.File(c, s), c.format, []edit{c.edit(entry)}}
	if servers.path == "" {
		other := map[Scope]Scope{User: Project, Project: User}[s]
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "%s has no file for a %s", c.Title, s).WithHint("use --for %s", other)
	}
	if hooks == nil {
		return []file{servers}, nil
	}
	if c.hooks == nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the hooks of %s are not known here", c.Title).WithHint("leave --hooks out")
	}
	edits := c.hooks.edits(c, *hooks)
	path := p.find(c.hooks.user, c.hooks.project, s)
	if path == "" || path == servers.path {
		servers.edits = append(servers.edits, edits...)
		return []file{servers}, nil
	}
	return []file{servers, {path, c.hooks.format, edits}}, nil
}

// HasHooks reports whether connect can install hooks in the client.
func (c Client) HasHooks() bool { return c.hooks != nil }

// NextHooks names the user's next step after hooks were installed.
func (c Client) NextHooks() string { return c.hooks.next }

// plugin is the plugin of opencode. COMMAND stands for the list of the command's words.
var plugin = `// ctx-mcp behind the hooks of opencode: written by ctx-mcp connect opencode --hooks, and taken out by --undo.
import { spawnSync } from "node:child_process"

const command = COMMAND
const briefs = new Map()
let latest = ""

const ask = (name, session, more) => {
  const input = JSON.stringify({ hook_event_name: name, session_id: session, cwd: process.cwd(), ...more })
  const done = spawnSync(command[0], command.slice(1), { input, encoding: "utf8", timeout: 30000, maxBuffer: 67108864 })
  if (done.error || done.status !== 0) return { deny: "ctx-mcp could not be asked: " + (done.stderr || done.error || "it failed") }
  return done.stdout ? JSON.parse(done.stdout) : {}
}

export const CtxMcp = async () => ({
  "chat.message": async ({ sessionID }, { parts }) => {
    latest = sessionID
    const prompt = parts.filter((p) => p.type === "text" && !p.synthetic).map((p) => p.text).join("\n")
    ask("UserPromptSubmit", sessionID, { prompt })
  },
  "experimental.chat.system.transform": async (input, output) => {
    const session = input?.sessionID ?? latest
    if (!session) return
    if (!briefs.has(session)) briefs.set(session, ask("SessionStart", session, { source: "startup" }).context)
    const brief = briefs.get(session)
    if (brief) output.system.push(brief)
  },
  "tool.execute.before": async ({ tool, sessionID, callID }, output) => {
    const answer = ask("PreToolUse", sessionID, { tool_name: tool, tool_input: output.args, tool_use_id: callID })
    if (answer.deny) throw new Error(answer.deny)
    if (answer.args) {
      for (const name of Object.keys(output.args)) delete output.args[name]
      Object.assign(output.args, answer.args)
    }
  },
  "tool.execute.after": async ({ tool, sessionID, callID, args }, output) => {
    const text = typeof output.output === "string"
    const answer = ask("PostToolUse", sessionID, {
      tool_name: tool, tool_input: args, tool_use_id: callID, tool_response: text ? output.output : { content: output.content },
    })
    if (answer.output === undefined) return
    if (text) output.output = answer.output
    else output.content = answer.output.content
  },
})
`
