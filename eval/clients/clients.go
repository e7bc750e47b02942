package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
)

// client is an agent client that is driven here.
type client struct {
	name    string // of ctx-mcp connect
	title   string
	program []string // its candidates below node_modules, with * for the platform
	script  bool     // it runs on Node
	model   string   // the name of the model that it is told
	mcp     string   // the file of its settings that names the model's address, below the home
	config  func(url, model string) string
	office  func(command string, args ...string) (file, text string) // its settings with a server of that command: a text for the file, or behind it
	args    func(prompt, model string) []string
	env     func(url string) map[string]string
	shell   func(command string) step // a call of its tool for commands
	hooks   hooked
}

// hooked says which of a client's hooks are seen to work.
type hooked struct {
	some     bool // it has hooks at all
	starts   bool // the brief is in the first request
	replaces bool // results are replaced before the model sees them
	aborts   bool // a denial ends its run
	ends     bool // it says when a session ends
	compacts bool // the scripted model can bring it to compact
	calls    bool // a hook can be a call of an MCP tool
	names    bool // a call of an MCP tool has an id that its hook has too
}

// commandOf returns the shell of a client whose tool takes one command under a name.
func commandOf(tool, name string, more object) func(string) step {
	return func(command string) step {
		args := object{name: command}
		for k, v := range more {
			args[k] = v
		}
		return step{Tool: tool, Args: args}
	}
}

func nothing(string) map[string]string { return nil }

// clients returns the table of clients. Codex stands in it three times, since it offers tools in three ways, by the model.
func clients() []client {
	codex := func(title, model string) client {
		return client{
			name: "codex", title: title, model: model, program: []string{"@openai/codex-*/vendor/*/bin/codex"},
			mcp: ".codex/config.toml", config: codexConfig, office: inTOML,
			args: func(prompt, _ string) []string {
				return []string{"exec", "--skip-git-repo-check", "--json", "--dangerously-bypass-hook-trust", prompt}
			},
			env:   func(string) map[string]string { return map[string]string{"MODEL_KEY": "x"} },
			shell: commandOf("exec_command", "cmd", nil),
			hooks: hooked{some: true, starts: true, replaces: true, ends: true, compacts: true, calls: true, names: true},
		}
	}
	return []client{
		codex("codex, all tools at once", "gpt-5"),
		codex("codex, tools found by search", "gpt-5.5"),
		codex("codex, tools called from code", "gpt-6.1-sol"),
		{
			name: "continue", title: "continue", program: []string{"@continuedev/cli/dist/cn.js"}, script: true,
			mcp: ".continue/config.yaml", config: continueConfig, office: inYAML,
			args: func(prompt, _ string) []string {
				return []string{"-p", "--auto", "--config", "{home}/.continue/config.yaml", prompt}
			},
			env:   func(string) map[string]string { return map[string]string{"CONTINUE_TELEMETRY_ENABLED": "0"} },
			shell: commandOf("Bash", "command", nil),
		},
		{
			name: "gemini", title: "gemini", program: []string{"@google/gemini-cli/bundle/gemini.js"}, script: true,
			mcp: ".gemini/settings.json", config: func(string, string) string { return geminiConfig }, office: inJSON("", `"mcpServers"`, `"command": %s, "args": %s, "trust": true`),
			args: func(prompt, _ string) []string {
				return []string{"--skip-trust", "-y", "-m", "gemini-2.5-pro", "-o", "json", "-p", prompt}
			},
			env: func(url string) map[string]string {
				return map[string]string{"GEMINI_API_KEY": "x", "GOOGLE_GEMINI_BASE_URL": url}
			},
			shell: commandOf("run_shell_command", "command", nil),
			hooks: hooked{some: true, starts: true, replaces: true, ends: true},
		},
		{
			name: "qwen", title: "qwen", program: []string{"@qwen-code/qwen-code/cli-entry.js"}, script: true,
			mcp: ".qwen/settings.json", config: func(string, string) string { return qwenConfig }, office: inJSON("", `"mcpServers"`, `"command": %s, "args": %s, "trust": true`),
			args: func(prompt, _ string) []string {
				return []string{"-y", "--auth-type", "openai", "-o", "json", "-p", prompt}
			},
			env: func(url string) map[string]string {
				return map[string]string{"OPENAI_API_KEY": "x", "OPENAI_BASE_URL": url + "/v1", "OPENAI_MODEL": "scripted"}
			},
			shell: commandOf("run_shell_command", "command", object{"is_background": false}),
			hooks: hooked{some: true, starts: true},
		},
		{
			name: "opencode", title: "opencode", program: []string{"opencode-linux-*-baseline/bin/opencode", "opencode-*/bin/opencode"},
			mcp: ".config/opencode/opencode.json", config: opencodeConfig, office: inOpencode,
			args:  func(prompt, _ string) []string { return []string{"run", prompt} },
			env:   nothing,
			shell: commandOf("bash", "command", object{"description": "a command"}),
			hooks: hooked{some: true, starts: true, replaces: true, ends: true},
		},
		{
			name: "cline", title: "cline", program: []string{"@cline/cli-*/bin/cline"},
			mcp: ".cline/data/settings/providers.json", config: clineConfig,
			office: inJSON(".cline/data/settings/cline_mcp_settings.json", `"mcpServers"`, `"command": %s, "args": %s`),
			args: func(prompt, _ string) []string {
				return []string{"--json", "-P", "openai-compatible", "-m", "scripted", prompt}
			},
			env: func(string) map[string]string { return map[string]string{"CLINE_TELEMETRY_DISABLED": "1"} },
			shell: func(command string) step {
				return step{Tool: "run_commands", Args: object{"commands": []string{command}}}
			},
			hooks: hooked{some: true, aborts: true},
		},
	}
}

// find returns the path of the client's program in a folder of packages.
func (c client) find(modules string) (string, bool) {
	for _, p := range c.program {
		if found, err := filepath.Glob(filepath.Join(modules, p)); err == nil && len(found) > 0 {
			return found[0], true
		}
	}
	return "", false
}

func codexConfig(url, model string) string {
	return `model = "` + model + `"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.scripted]
name = "scripted"
base_url = "` + url + `/v1"
wire_api = "responses"
env_key = "MODEL_KEY"
`
}

const geminiConfig = `{
  "security": {"auth": {"selectedType": "gemini-api-key"}},
  "telemetry": {"enabled": false},
  "privacy": {"usageStatisticsEnabled": false},
  "general": {"disableAutoUpdate": true, "enableAutoUpdate": false}
}
`

const qwenConfig = `{
  "security": {"auth": {"selectedType": "openai"}},
  "telemetry": {"enabled": false},
  "privacy": {"usageStatisticsEnabled": false},
  "model": {"name": "scripted"},
  "general": {"disableAutoUpdate": true, "enableAutoUpdate": false}
}
`

func opencodeConfig(url, _ string) string {
	return `{
  "$schema": "https://opencode.ai/config.json",
  "autoupdate": false,
  "share": "disabled",
  "permission": {"bash": "allow", "external_directory": "allow"},
  "model": "scripted/scripted",
  "small_model": "scripted/scripted",
  "provider": {
    "scripted": {
      "npm": "@ai-sdk/openai-compatible",
      "name": "scripted",
      "options": {"baseURL": "` + url + `/v1", "apiKey": "x"},
      "models": {"scripted": {"name": "scripted", "tool_call": true, "limit": {"context": 128000, "output": 8000}}}
    }
  }
}
`
}

func clineConfig(url, _ string) string {
	return `{
  "version": 1,
  "lastUsedProvider": "openai-compatible",
  "providers": {
    "openai-compatible": {
      "settings": {"provider": "openai-compatible", "apiKey": "x", "model": "scripted", "baseUrl": "` + url + `/v1"},
      "updatedAt": "2026-01-01T00:00:00.000Z",
      "tokenSource": "manual"
    }
  }
}
`
}

func continueConfig(url, _ string) string {
	return `name: scripted
version: 1.0.0
schema: v1
models:
  - name: scripted
    provider: openai
    model: scripted
    apiBase: ` + url + `/v1
    apiKey: x
    roles: [chat]
    capabilities: [tool_use]
`
}

// quoted returns a value as JSON, which is also TOML and YAML for strings and lists of them.
func quoted(v any) string {
	line, err := json.Marshal(v)
	if err != nil {
		panic(err) // it is made of strings here
	}
	return string(line)
}

func inTOML(command string, args ...string) (string, string) {
	return "", fmt.Sprintf("\n[mcp_servers.office]\ncommand = %s\nargs = %s\ndefault_tools_approval_mode = \"approve\"\n", quoted(command), quoted(args))
}

func inYAML(command string, args ...string) (string, string) {
	return "", fmt.Sprintf("mcpServers:\n  - name: office\n    command: %s\n    args: %s\n", quoted(command), quoted(args))
}

// inJSON returns the entry for a file of its own, or for the settings, where it stands first in the object.
func inJSON(file, key, form string) func(string, ...string) (string, string) {
	return func(command string, args ...string) (string, string) {
		return file, fmt.Sprintf("{%s: {\"office\": {"+form+"}}", key, quoted(command), quoted(args))
	}
}

func inOpencode(command string, args ...string) (string, string) {
	return "", fmt.Sprintf("{\"mcp\": {\"office\": {\"type\": \"local\", \"command\": %s, \"enabled\": true}}", quoted(append([]string{command}, args...)))
}
