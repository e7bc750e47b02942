package release

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
)

// manifest describes a bundle: version 0.3 of github.com/anthropics/mcpb.
type manifest struct {
	ManifestVersion string             `json:"manifest_version"`
	Name            string             `json:"name"`
	DisplayName     string             `json:"display_name"`
	Version         string             `json:"version"`
	Description     string             `json:"description"`
	Author          map[string]string  `json:"author"`
	Homepage        string             `json:"homepage"`
	Icon            string             `json:"icon"`
	Server          bundleServer       `json:"server"`
	Tools           []Described        `json:"tools"`
	License         string             `json:"license"`
	Compatibility   map[string]any     `json:"compatibility"`
	UserConfig      map[string]setting `json:"user_config"`
}

type bundleServer struct {
	Type       string  `json:"type"`
	EntryPoint string  `json:"entry_point"`
	Config     command `json:"mcp_config"`
}

type command struct {
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
}

// setting is a field of the form that a client shows.
type setting struct {
	Type        string `json:"type"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Default     any    `json:"default,omitempty"`
	Required    bool   `json:"required"`
	Sensitive   bool   `json:"sensitive,omitempty"`
}

// bundle returns a bundle for desktop clients, which unpack it and start the binary with the tools that a model uses itself.
func bundle(p Product, b Built) (Artifact, error) {
	platform, _ := b.node()
	about, err := indented(manifest{
		ManifestVersion: "0.3", Name: "ctx-mcp", DisplayName: "ctx-mcp", Version: p.Version, Description: summary,
		Author: map[string]string{"name": "ctx-mcp", "url": homepage}, Homepage: homepage, Icon: "icon.png", License: license, Tools: p.Tools,
		Compatibility: map[string]any{"platforms": []string{platform}},
		Server: bundleServer{"binary", "server/" + b.Binary(), command{"${__dirname}/server/" + b.Binary(), []string{"stdio", "--toolsets=agent"}, map[string]string{
			"CTX_MCP_DATA_DIR": "${user_config.data_dir}", "CTX_MCP_READ_ONLY": "${user_config.read_only}",
		}}},
		UserConfig: map[string]setting{
			"data_dir":  {Type: "directory", Title: "Folder for your memories", Description: "All that ctx-mcp keeps is in this folder.", Default: dataFolder(b.OS)},
			"read_only": {Type: "boolean", Title: "Read only", Description: "Recall what is known, and store nothing.", Default: false},
		},
	})
	if err != nil {
		return Artifact{}, err
	}
	picture, err := icon()
	if err != nil {
		return Artifact{}, err
	}
	files := []file{{name: "manifest.json", mode: document, body: about}, {name: "icon.png", mode: document, body: picture},
		{name: "server/" + b.Binary(), mode: program, body: b.Program}}
	for _, name := range sorted(p.Documents) {
		files = append(files, file{name: name, mode: document, body: p.Documents[name]})
	}
	body, err := zipOf(files, p.Time)
	return Artifact{fmt.Sprintf("ctx-mcp-%s-%s.mcpb", p.Version, b.Name()), body}, err
}

// dataFolder is where the product keeps its state on a system, as a bundle writes it: the memories are those of every other client.
func dataFolder(os string) string {
	if os == "darwin" {
		return "${HOME}/Library/Application Support/ctx-mcp"
	}
	return "${HOME}/.local/share/ctx-mcp"
}

// icon draws three lines of text in a window, the middle one kept.
func icon() ([]byte, error) {
	const size = 128
	paper, ink, kept := color.RGBA{245, 246, 248, 255}, color.RGBA{150, 158, 170, 255}, color.RGBA{28, 100, 180, 255}
	m := image.NewRGBA(image.Rect(0, 0, size, size))
	fill := func(x0, y0, x1, y1 int, c color.Color) {
		for y := y0; y < y1; y++ {
			for x := x0; x < x1; x++ {
				m.Set(x, y, c)
			}
		}
	}
	fill(8, 8, 120, 120, ink)
	fill(12, 12, 116, 116, paper)
	fill(28, 34, 92, 42, ink)
	fill(28, 58, 100, 70, kept)
	fill(28, 86, 76, 94, ink)
	var out bytes.Buffer
	err := png.Encode(&out, m)
	return out.Bytes(), err
}
