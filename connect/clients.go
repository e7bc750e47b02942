package connect

// Clients returns the table of clients.
func Clients() []Client {
	return []Client{
		{
			Name: "claude-desktop", Title: "Claude Desktop", format: jsonc{}, at: []string{"mcpServers"}, local: program(),
			user: byPlatform{
				linux:   []string{"{XDG_CONFIG_HOME|~/.config}/Claude/claude_desktop_config.json"},
				darwin:  []string{"~/Library/Application Support/Claude/claude_desktop_config.json"},
				windows: []string{"{APPDATA|~/AppData/Roaming}/Claude/claude_desktop_config.json"},
			},
			marks: []string{
				"{XDG_CONFIG_HOME|~/.config}/Claude", "~/Library/Application Support/Claude", "{APPDATA|~/AppData/Roaming}/Claude",
			},
			noRemote: "add the URL in Claude Desktop under Settings, Connectors",
			Next:     "quit Claude Desktop and start it again",
			Source:   "modelcontextprotocol.io/docs/develop/connect-local-servers", Date: "2026-11",
		},
		{
			Name: "claude-code", Title: "Claude Code", format: jsonc{}, at: []string{"mcpServers"}, local: program(Field{"type", "stdio"}),
			user: everywhere("{CLAUDE_CONFIG_DIR|~}/.claude.json"), project: []string{".mcp.json"},
			marks: []string{"~/.claude"}, program: "claude",
			remote: endpoint("url", "${NAME}", Field{"type", "http"}), reference: "${NAME}",
			Next: "start Claude Code anew; /mcp shows the server, and asks once for one of a project",
			hooks: &hooking{
				user: everywhere("{CLAUDE_CONFIG_DIR|~/.claude}/settings.json"), project: []string{".claude/settings.json"}, format: jsonc{},
				edits: commandHooks(1), next: "start Claude Code anew; /hooks shows the hooks",
			},
			Source: "code.claude.com/docs/en/mcp", Date: "2026-11",
		},
		{
			Name: "vscode", Title: "VS Code", format: jsonc{}, at: []string{"servers"}, local: program(Field{"type", "stdio"}),
			user: byPlatform{
				linux:   []string{"{XDG_CONFIG_HOME|~/.config}/Code/User/mcp.json"},
				darwin:  []string{"~/Library/Application Support/Code/User/mcp.json"},
				windows: []string{"{APPDATA|~/AppData/Roaming}/Code/User/mcp.json"},
			},
			project: []string{".vscode/mcp.json"}, program: "code",
			marks: []string{
				"{XDG_CONFIG_HOME|~/.config}/Code/User", "~/Library/Application Support/Code/User", "{APPDATA|~/AppData/Roaming}/Code/User",
			},
			remote: endpoint("url", "${env:NAME}", Field{"type", "http"}), reference: "${env:NAME}",
			Next: "run MCP: List Servers in the command palette, and start ctx-mcp",
			hooks: &hooking{
				user: everywhere("~/.copilot/hooks/ctx-mcp.json"), project: []string{".github/hooks/ctx-mcp.json"}, format: jsonc{versionOne},
				edits: plainHooks(Field{"type", "command"}), next: "look at /hooks in the chat: agent hooks are a preview that an organisation may have switched off",
			},
			Source: "code.visualstudio.com/docs/copilot/reference/mcp-configuration", Date: "2026-11",
		},
		{
			Name: "cursor", Title: "Cursor", format: jsonc{}, at: []string{"mcpServers"}, local: program(),
			user: everywhere("~/.cursor/mcp.json"), project: []string{".cursor/mcp.json"}, marks: []string{"~/.cursor"}, program: "cursor",
			remote: endpoint("url", "${env:NAME}"), reference: "${env:NAME}",
			Next: "switch ctx-mcp on under Settings, MCP",
			hooks: &hooking{
				user: everywhere("~/.cursor/hooks.json"), project: []string{".cursor/hooks.json"}, format: jsonc{versionOne},
				edits: plainHooks(), next: "look at Settings, Hooks; a project's hooks run in trusted workspaces only",
			},
			Source: "cursor.com/docs/context/mcp", Date: "2026-11",
		},
		{
			Name: "windsurf", Title: "Windsurf", format: jsonc{}, at: []string{"mcpServers"}, local: program(),
			user: everywhere("~/.codeium/windsurf/mcp_config.json"), marks: []string{"~/.codeium/windsurf"}, program: "windsurf",
			remote: endpoint("serverUrl", "${env:NAME}"), reference: "${env:NAME}",
			Next:   "press Refresh among the MCP servers of Cascade",
			Source: "docs.windsurf.com/windsurf/cascade/mcp", Date: "2026-11",
		},
		{
			Name: "codex", Title: "Codex CLI", format: tomlFile{}, at: []string{"mcp_servers"}, local: program(),
			user: everywhere("{CODEX_HOME|~/.codex}/config.toml"), project: []string{".codex/config.toml"},
			marks: []string{"{CODEX_HOME|~/.codex}"}, program: "codex",
			remote: codexRemote, reference: "NAME",
			Next: "start Codex anew; codex mcp list shows the server. A project's file counts in trusted projects only",
			hooks: &hooking{
				user: everywhere("{CODEX_HOME|~/.codex}/hooks.json"), project: []string{".codex/hooks.json"}, format: jsonc{},
				edits: commandHooks(1), next: "trust the hooks once in Codex, with /hooks: until then it skips them without a word",
			},
			Source: "run with Codex CLI 0.169.0", Date: "2026-11-22",
		},
		{
			Name: "gemini", Title: "Gemini CLI", format: jsonc{}, at: []string{"mcpServers"}, local: program(),
			user: everywhere("~/.gemini/settings.json"), project: []string{".gemini/settings.json"}, marks: []string{"~/.gemini"}, program: "gemini",
			remote: endpoint("httpUrl", "${NAME}"), reference: "${NAME}",
			Next:   "start Gemini CLI anew; /mcp list shows the server. A project's file counts in trusted folders only",
			hooks:  &hooking{edits: commandHooks(1000), next: "start Gemini CLI anew; /hooks shows the hooks"},
			Source: "run with Gemini CLI 0.61.0", Date: "2026-11-22",
		},
		{
			Name: "qwen", Title: "Qwen Code", format: jsonc{}, at: []string{"mcpServers"}, local: program(),
			user: everywhere("~/.qwen/settings.json"), project: []string{".qwen/settings.json"}, marks: []string{"~/.qwen"}, program: "qwen",
			remote: endpoint("httpUrl", "${NAME}"), reference: "${NAME}",
			Next:   "start Qwen Code anew; /mcp shows the server",
			hooks:  &hooking{edits: commandHooks(1000), next: "start Qwen Code anew; /hooks shows the hooks"},
			Source: "run with Qwen Code 0.24.4", Date: "2026-11-22",
		},
		{
			Name: "opencode", Title: "opencode", format: jsonc{}, at: []string{"mcp"}, local: opencodeLocal,
			user:    everywhere("{XDG_CONFIG_HOME|~/.config}/opencode/opencode.json", "{XDG_CONFIG_HOME|~/.config}/opencode/opencode.jsonc"),
			project: []string{"opencode.json", "opencode.jsonc"}, marks: []string{"{XDG_CONFIG_HOME|~/.config}/opencode"}, program: "opencode",
			remote: func(s Server) Fields {
				return Fields{{"type", "remote"}, {"url", s.URL}}.with("headers", s.header("{env:NAME}")).with("enabled", true)
			}, reference: "{env:NAME}",
			Next: "start opencode anew; opencode mcp list shows the server",
			hooks: &hooking{
				user: everywhere("{XDG_CONFIG_HOME|~/.config}/opencode/plugin/ctx-mcp.js"), project: []string{".opencode/plugin/ctx-mcp.js"}, format: wholeFile{},
				edits: pluginHooks, next: "start opencode anew",
			},
			Source: "run with opencode 1.18.33", Date: "2026-11-22",
		},
		{
			Name: "cline", Title: "cline", format: jsonc{}, at: []string{"mcpServers"}, local: program(),
			user: byPlatform{
				linux:   []string{clineOwn, "{XDG_CONFIG_HOME|~/.config}/Code/User/" + clineInCode},
				darwin:  []string{clineOwn, "~/Library/Application Support/Code/User/" + clineInCode},
				windows: []string{clineOwn, "{APPDATA|~/AppData/Roaming}/Code/User/" + clineInCode},
			},
			marks: []string{"~/.cline"}, program: "cline",
			remote: endpoint("url", "", Field{"type", "streamableHttp"}),
			Next:   "start cline anew",
			hooks: &hooking{
				user: everywhere("~/.cline/hooks"), project: []string{".clinerules/hooks"}, format: wholeFile{}, scripts: true,
				edits: scriptHooks, next: "start cline anew; a call that is denied ends the run of cline",
			},
			Source: "run with cline 3.0.65", Date: "2026-11-22",
		},
		{
			Name: "continue", Title: "Continue", at: []string{"mcpServers"}, local: program(Field{"name", Name}),
			format: yamlFile{head: "name: Local\nversion: 1.0.0\nschema: v1\n"},
			user:   everywhere("~/.continue/config.yaml"), project: []string{".continue/mcpServers/ctx-mcp.yaml"},
			marks: []string{"~/.continue"}, program: "cn",
			remote: func(s Server) Fields {
				return Fields{{"name", Name}, {"type", "streamable-http"}, {"url", s.URL}}.
					with("requestOptions", Fields{}.with("headers", s.header("${{ secrets.NAME }}")))
			}, reference: "${{ secrets.NAME }}",
			Next:   "reload the window, or start cn anew; tools are offered in agent mode",
			Source: "run with Continue's cn 1.5.47", Date: "2026-11-22",
		},
		{
			Name: "zed", Title: "Zed", format: jsonc{}, at: []string{"context_servers"}, local: program(),
			user: byPlatform{
				linux:   []string{"{XDG_CONFIG_HOME|~/.config}/zed/settings.json"},
				darwin:  []string{"~/.config/zed/settings.json"},
				windows: []string{"{APPDATA|~/AppData/Roaming}/Zed/settings.json"},
			},
			marks:   []string{"{XDG_CONFIG_HOME|~/.config}/zed", "{APPDATA|~/AppData/Roaming}/Zed"},
			program: "zed", remote: endpoint("url", ""),
			Next:   "look for a green dot beside ctx-mcp in the settings of the Agent Panel",
			Source: "zed.dev/docs/ai/mcp", Date: "2026-11",
		},
	}
}

// versionOne begins a file of hooks whose client asks for the version of its form.
const versionOne = "{\n  \"version\": 1\n}\n"

const (
	clineOwn    = "~/.cline/data/settings/cline_mcp_settings.json"
	clineInCode = "globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"
)

// codexRemote names the variable of the token in a field of its own.
func codexRemote(s Server) Fields {
	entry := Fields{{"url", s.URL}}
	switch {
	case s.Token.Variable != "":
		return entry.with("bearer_token_env_var", s.Token.Variable)
	case s.Token.Clear != "":
		return entry.with("http_headers", s.header(""))
	}
	return entry
}

// opencodeLocal has the program and its arguments in one list.
func opencodeLocal(s Server) Fields {
	return Fields{{"type", "local"}, {"command", append([]string{s.Command}, s.Args...)}}.with("environment", s.Env).with("enabled", true)
}
