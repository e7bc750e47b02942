package connect

import (
	"path/filepath"
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
	scripts bool // the files are folders, in which each event has a program of its name
	next    string
}

// commandHooks returns the edits of the form that Claude Code began: a list of groups for each event. unit is a second in the client's
// measure of time.
func commandHooks(unit int) func(Client, Hooks) []edit {
	return eventHooks(func(event, line string) any {
		limit := 30 * unit
		if event == "SessionEnd" && unit == 1 { // Codex warns of more at each start
			limit = 3
		}
		return Fields{{"hooks", []any{Fields{{"type", "command"}, {"command", line}, {"timeout", limit}}}}}
	})
}

// plainHooks returns the edits of a form that lists the commands of an event, with the fields before them.
func plainHooks(first ...Field) func(Client, Hooks) []edit {
	return eventHooks(func(_, line string) any {
		return append(append(Fields{}, first...), Field{"command", line}, Field{"timeout", 30})
	})
}

// eventHooks returns edits that put an entry into the list of each event.
func eventHooks(entry func(event, line string) any) func(Client, Hooks) []edit {
	return func(c Client, h Hooks) []edit {
		var all []edit
		for _, event := range h.Events {
			all = append(all, edit{
				at: []string{"hooks", event}, mine: func(v any) bool { return answers(v, c) }, want: entry(event, shellLine(h.Command)),
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

// scriptHooks returns the edit that makes the whole file a program that runs the command.
func scriptHooks(_ Client, h Hooks) []edit {
	return []edit{{name: Name, want: "#!/bin/sh\n# ctx-mcp behind the hooks: " + ours + ", and taken out by --undo.\nexec " + shellLine(h.Command) + "\n"}}
}

// ours stands in every file that is an entry as a whole.
const ours = "written by ctx-mcp connect"

// wholeFile is a file that is the entry.
type wholeFile struct{}

// read returns nothing for a file that is somebody else's.
func (wholeFile) read(text string) (map[string]any, error) {
	if !strings.Contains(text, ours) {
		return map[string]any{}, nil
	}
	return map[string]any{Name: text}, nil
}

func (wholeFile) apply(text string, e edit) (string, error) {
	if strings.TrimSpace(text) != "" && !strings.Contains(text, ours) {
		return "", ctxmcp.Errorf(ctxmcp.CodeConflict, "another program answers the hook, and there can be one").
			WithHint("move it away, or call ctx-mcp from it")
	}
	want, _ := e.want.(string)
	return want, nil
}

func (wholeFile) show(e edit) string { text, _ := e.want.(string); return text }
func (wholeFile) begin() string      { return "" }

// file is a file of a client, with the entries that connect writes into it.
type file struct {
	path   string
	format format
	edits  []edit
	before []edit // those of them that an earlier Connect may have made, where they are not all
	runs   bool   // it is a program
}

// files returns the files of a scope: of the servers, and of the hooks where these have files of their own. It fails if the client has
// none of the first, or no hooks where some are wanted.
func (p Place) files(c Client, s Scope, entry any, hooks *Hooks, behind *Behind) ([]file, error) {
	servers := file{path: p.File(c, s), format: c.format, edits: []edit{c.edit(entry)}}
	if behind != nil {
		servers.before = append(slices.Clone(servers.edits), behind.edits(c, true)...)
		servers.edits = append(servers.edits, behind.edits(c, false)...)
	}
	if servers.path == "" && (hooks == nil || c.hooks == nil || p.find(c.hooks.user, c.hooks.project, s) == "") {
		other := map[Scope]Scope{User: Project, Project: User}[s]
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "%s has no file for a %s", c.Title, s).WithHint("use --for %s", other)
	}
	if hooks == nil {
		return []file{servers}, nil
	}
	if c.hooks == nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the hooks of %s are not known here", c.Title).WithHint("leave --hooks out")
	}
	if servers.path == "" {
		return p.hookFiles(c, s, *hooks), nil
	}
	if path := p.find(c.hooks.user, c.hooks.project, s); path == "" || path == servers.path {
		servers.edits = append(servers.edits, c.hooks.edits(c, *hooks)...)
		if servers.before != nil {
			servers.before = append(servers.before, c.hooks.edits(c, *hooks)...)
		}
		return []file{servers}, nil
	}
	return append([]file{servers}, p.hookFiles(c, s, *hooks)...), nil
}

// hookFiles returns the files that hold nothing but hooks.
func (p Place) hookFiles(c Client, s Scope, hooks Hooks) []file {
	path := p.find(c.hooks.user, c.hooks.project, s)
	if !c.hooks.scripts {
		return []file{{path: path, format: c.hooks.format, edits: c.hooks.edits(c, hooks)}}
	}
	var all []file
	for _, event := range hooks.Events {
		all = append(all, file{path: filepath.Join(path, event), format: c.hooks.format, edits: c.hooks.edits(c, hooks), runs: true})
	}
	return all
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
const lost = new Set()
const known = new Set()
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
    known.add(sessionID)
    const prompt = parts.filter((p) => p.type === "text" && !p.synthetic).map((p) => p.text).join("\n")
    ask("UserPromptSubmit", sessionID, { prompt })
  },
  "experimental.chat.system.transform": async (input, output) => {
    const session = input?.sessionID ?? latest
    if (!session) return
    if (!briefs.has(session)) {
      const source = lost.delete(session) ? "compact" : "startup"
      briefs.set(session, ask("SessionStart", session, { source }).context)
    }
    const brief = briefs.get(session)
    if (brief) output.system.push(brief)
  },
  "experimental.session.compacting": async ({ sessionID }) => {
    ask("PreCompact", sessionID, { trigger: "auto" })
    lost.add(sessionID)
    briefs.delete(sessionID)
  },
  event: async ({ event }) => {
    const session = event.properties?.info?.id ?? event.properties?.sessionID
    if (event.type === "session.deleted" && known.delete(session)) ask("SessionEnd", session, {})
  },
  dispose: async () => {
    for (const session of known) ask("SessionEnd", session, {})
    known.clear()
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
