package release

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
)

// serverName is the name in the registry of MCP servers.
const serverName = "io.github.ctx-mcp/ctx-mcp"

// serverEntry returns server.json, by which the registry of MCP servers lists the bundles of a release.
func serverEntry(p Product, all []Artifact) (Artifact, error) {
	type transport struct {
		Type string `json:"type"`
	}
	type listed struct {
		RegistryType string    `json:"registryType"`
		Identifier   string    `json:"identifier"`
		SHA256       string    `json:"fileSha256"`
		Version      string    `json:"version"`
		Transport    transport `json:"transport"`
	}
	var packages []listed
	for _, a := range all {
		if strings.HasSuffix(a.Name, ".mcpb") {
			packages = append(packages, listed{"mcpb", p.Base + "/" + a.Name, digest(a.Body), p.Version, transport{"stdio"}})
		}
	}
	body, err := indented(struct {
		Schema      string            `json:"$schema"`
		Name        string            `json:"name"`
		Title       string            `json:"title"`
		Description string            `json:"description"`
		Version     string            `json:"version"`
		Repository  map[string]string `json:"repository"`
		Packages    []listed          `json:"packages"`
	}{"https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json", serverName, "ctx-mcp", summary, p.Version,
		map[string]string{"url": homepage, "source": "github"}, packages})
	return Artifact{"server.json", body}, err
}

// formula returns the formula for Homebrew of the archives for macOS and Linux.
func formula(p Product, all []Artifact) (Artifact, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "class CtxMcp < Formula\n  desc %q\n  homepage %q\n  version %q\n  license %q\n", summary, homepage, p.Version, license)
	for _, system := range []struct{ brew, os string }{{"macos", "darwin"}, {"linux", "linux"}} {
		var ways strings.Builder
		for _, cpu := range []struct{ brew, arch string }{{"arm", "arm64"}, {"intel", "amd64"}} {
			name := fmt.Sprintf("ctx-mcp-%s-%s-%s.tar.gz", p.Version, system.os, cpu.arch)
			for _, a := range all {
				if a.Name == name {
					fmt.Fprintf(&ways, "    on_%s do\n      url %q\n      sha256 %q\n    end\n", cpu.brew, p.Base+"/"+name, digest(a.Body))
				}
			}
		}
		if ways.Len() > 0 {
			fmt.Fprintf(&b, "\n  on_%s do\n%s  end\n", system.brew, ways.String())
		}
	}
	b.WriteString("\n  def install\n    bin.install \"ctx-mcp\"\n    generate_completions_from_executable(bin/\"ctx-mcp\", \"completion\")\n  end\n\n" +
		"  test do\n    assert_match version.to_s, shell_output(\"#{bin}/ctx-mcp version\")\n  end\nend\n")
	return Artifact{"ctx-mcp.rb", []byte(b.String())}, nil
}

// billOfMaterials returns the modules in a binary, in the form of CycloneDX 1.6.
func billOfMaterials(p Product, b Built) (Artifact, error) {
	info := b.Modules
	type hash struct {
		Alg     string `json:"alg"`
		Content string `json:"content"`
	}
	type component struct {
		Type    string `json:"type"`
		Name    string `json:"name"`
		Version string `json:"version"`
		PURL    string `json:"purl"`
		Hashes  []hash `json:"hashes,omitempty"`
	}
	modules := []component{{"library", "std", strings.TrimPrefix(info.GoVersion, "go"), "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go"), nil}}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		c := component{Type: "library", Name: m.Path, Version: m.Version, PURL: "pkg:golang/" + m.Path + "@" + m.Version}
		if raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(m.Sum, "h1:")); err == nil && len(raw) == 32 {
			c.Hashes = []hash{{"SHA-256", hex.EncodeToString(raw)}}
		}
		modules = append(modules, c)
	}
	body, err := indented(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata": map[string]any{"timestamp": p.Time.UTC().Format("2006-01-02T15:04:05Z"), "component": component{
			"application", "ctx-mcp", p.Version, "pkg:github/ctx-mcp/ctx-mcp@" + p.Version, []hash{{"SHA-256", digest(b.Program)}},
		}},
		"components": modules,
	})
	return Artifact{fmt.Sprintf("ctx-mcp-%s-%s.cdx.json", p.Version, b.Name()), body}, err
}
