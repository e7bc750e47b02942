package release

import (
	"encoding/json"
	"fmt"
)

// npmPackage returns a package for npm whose command is the binary itself: no script stands between a client and the server.
func npmPackage(p Product, b Built) (Artifact, error) {
	platform, cpu := b.node()
	manifest := struct {
		Name        string            `json:"name"`
		Version     string            `json:"version"`
		Description string            `json:"description"`
		Homepage    string            `json:"homepage"`
		License     string            `json:"license"`
		Server      string            `json:"mcpName"`
		Bin         map[string]string `json:"bin"`
		OS          []string          `json:"os"`
		CPU         []string          `json:"cpu"`
	}{"ctx-mcp", p.Version, summary, homepage, license, serverName, map[string]string{"ctx-mcp": "bin/" + b.Binary()}, []string{platform}, []string{cpu}}
	about, err := indented(manifest)
	if err != nil {
		return Artifact{}, err
	}
	files := []file{{name: "package/package.json", mode: document, body: about}, {name: "package/bin/" + b.Binary(), mode: program, body: b.Program}}
	for _, name := range sorted(p.Documents) {
		files = append(files, file{name: "package/" + name, mode: document, body: p.Documents[name]})
	}
	body, err := tarball(files, p.Time)
	return Artifact{fmt.Sprintf("ctx-mcp-%s-npm-%s.tgz", p.Version, b.Name()), body}, err
}

func indented(v any) ([]byte, error) {
	raw, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write JSON: %w", err)
	}
	return append(raw, '\n'), nil
}
