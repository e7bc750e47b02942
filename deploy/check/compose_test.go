package check

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

func compose(t *testing.T) *types.Project {
	t.Helper()
	o, err := cli.NewProjectOptions([]string{"../compose.yaml"}, cli.WithEnv([]string{"PUBLIC_URL=https://ctx.example.org"}), cli.WithProfiles([]string{"*"}))
	if err != nil {
		t.Fatal(err)
	}
	p, err := o.LoadProject(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCompose(t *testing.T) {
	for _, s := range compose(t).Services {
		if !strings.Contains(s.Image, ":") || strings.HasSuffix(s.Image, ":latest") {
			t.Errorf("%s: image %q is not pinned", s.Name, s.Image)
		}
		if !slices.Equal(s.CapDrop, []string{"ALL"}) || !slices.Contains(s.SecurityOpt, "no-new-privileges:true") {
			t.Errorf("%s may get rights: drops %v, %v", s.Name, s.CapDrop, s.SecurityOpt)
		}
		for _, port := range s.Ports {
			if port.HostIP != "127.0.0.1" {
				t.Errorf("%s: port %s is open to other machines", s.Name, port.Published)
			}
		}
		if s.Name == "ctx-mcp" && (!s.ReadOnly || s.User != "65532:65532" || s.MemLimit == 0) {
			t.Errorf("ctx-mcp: read-only %t, user %s, memory %d", s.ReadOnly, s.User, s.MemLimit)
		}
	}
}

// TestComposeSettings: each variable is a setting of the server, and the server starts with them all.
func TestComposeSettings(t *testing.T) {
	var settings []string
	for name, value := range compose(t).Services["ctx-mcp"].Environment {
		settings = append(settings, name+"="+*value)
	}
	var from []string
	for _, is := range inForce(t, settings) {
		from = append(from, is...)
	}
	for _, setting := range settings {
		name, _, _ := strings.Cut(setting, "=")
		if !slices.Contains(from, "$"+name) {
			t.Errorf("%s is no setting of the server", name)
		}
	}
	origin, _ := serve(t, settings...)
	if status, text := get(t, origin+"/readyz", ""); status != 200 {
		t.Errorf("/readyz: %d %s", status, text)
	}
	if status, text := get(t, origin+"/metrics", "ctx-mcp:8080"); status != 200 {
		t.Errorf("/metrics, as Prometheus asks: %d %s", status, text)
	}
	if status, _ := get(t, origin+"/metrics", "evil.example"); status != 403 {
		t.Errorf("/metrics under another name: %d, want 403", status)
	}
}
