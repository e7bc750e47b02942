package embed_test

import (
	"math"
	"testing"

	ctxmcp "github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/llm/embed"
	"github.com/ctx-mcp/ctx-mcp/llm/embed/embedtest"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var texts = []string{"the red fox", "a blue whale", "one green frog", "two red foxes", "the end"}

// wantVectors are the vectors of texts: those of Hashed already have unit length.
func wantVectors() [][]float32 {
	var want [][]float32
	for _, text := range texts {
		want = append(want, embedtest.Hashed(dims)(text))
	}
	return want
}

func checkVectors(t *testing.T, got [][]float32, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("Embed() error = %v, want none", err)
	}
	if diff := cmp.Diff(wantVectors(), got, cmpopts.EquateApprox(0, 1e-6)); diff != "" {
		t.Errorf("Embed() differs (-want +got):\n%s", diff)
	}
}

func TestEmbedSplitsIntoBatchesAndKeepsOrder(t *testing.T) {
	srv := newServer(t)
	c := newClient(t, srv, func(o *embed.Options) { o.BatchSize = 2 })
	got, err := c.Embed(t.Context(), texts)
	checkVectors(t, got, err)
	var sent [][]string
	for _, call := range srv.Calls() {
		sent = append(sent, call.Input)
	}
	if diff := cmp.Diff([][]string{texts[:2], texts[2:4], texts[4:]}, sent); diff != "" {
		t.Errorf("batches differ (-want +got):\n%s", diff)
	}
}

func TestEmbedSortsByIndex(t *testing.T) {
	srv := newServer(t)
	srv.Inject(embedtest.Reverse())
	got, err := newClient(t, srv, nil).Embed(t.Context(), texts)
	checkVectors(t, got, err)
}

func TestEmbedNormalises(t *testing.T) {
	for _, raw := range [][]float32{{3, 4}, {-1e38, 1e38}, {1e-45, 0}, {0.1, -0.2}} {
		srv := embedtest.NewServer(t, func(string) []float32 { return raw })
		got, err := newClient(t, srv, nil).Embed(t.Context(), []string{"x"})
		if err != nil {
			t.Fatalf("Embed() with %v = %v, want a vector", raw, err)
		}
		if length := math.Hypot(float64(got[0][0]), float64(got[0][1])); math.Abs(length-1) > 1e-6 {
			t.Errorf("length of %v = %v, want 1", got[0], length)
		}
	}
}

func TestEmbedRequest(t *testing.T) {
	eight := dims
	for name, test := range map[string]struct {
		edit  func(*embed.Options)
		want  embedtest.Call
		model string
	}{
		"least": {
			edit:  nil,
			want:  embedtest.Call{Model: "test", Input: texts, EncodingFormat: "float"},
			model: "test",
		},
		"key and dimensions": {
			edit: func(o *embed.Options) { o.APIKey, o.Dimensions, o.BaseURL = "sk-1", dims, o.BaseURL+"/" },
			want: embedtest.Call{
				Model: "test", Input: texts, EncodingFormat: "float", Dimensions: &eight, Authorization: "Bearer sk-1",
			},
			model: "test@8",
		},
	} {
		t.Run(name, func(t *testing.T) {
			srv := newServer(t)
			c := newClient(t, srv, test.edit)
			got, err := c.Embed(t.Context(), texts)
			checkVectors(t, got, err)
			if diff := cmp.Diff([]embedtest.Call{test.want}, srv.Calls()); diff != "" {
				t.Errorf("calls differ (-want +got):\n%s", diff)
			}
			if got := c.Model(); got != test.model {
				t.Errorf("Model() = %q, want %q", got, test.model)
			}
		})
	}
}

func TestEmbedWithoutTexts(t *testing.T) {
	srv := newServer(t)
	got, err := newClient(t, srv, nil).Embed(t.Context(), nil)
	if got != nil || err != nil {
		t.Errorf("Embed(nil) = %v, %v, want nil, nil", got, err)
	}
	wantRequests(t, srv, 0)
}

func TestEmbedRefusesEmptyTexts(t *testing.T) {
	srv := newServer(t)
	c := newClient(t, srv, nil)
	for _, empty := range []string{"", " ", "\n\t\u00a0"} {
		_, err := c.Embed(t.Context(), []string{"full", empty})
		wantError(t, err, ctxmcp.CodeInvalid, "text 2 of 2 to embed is empty")
	}
	wantRequests(t, srv, 0)
}

func TestNewRefusesOptions(t *testing.T) {
	valid := embed.Options{BaseURL: "https://example.com/v1", Model: "m"}
	if _, err := embed.New(valid); err != nil {
		t.Fatalf("New() = %v, want a client", err)
	}
	for _, test := range []struct {
		message string
		edit    func(*embed.Options)
	}{
		{"base URL is not set", func(o *embed.Options) { o.BaseURL = "" }},
		{"base URL is not an http", func(o *embed.Options) { o.BaseURL = "ftp://example.com" }},
		{"base URL is not an http", func(o *embed.Options) { o.BaseURL = "https://user:%zz@example.com" }},
		{"base URL is not an http", func(o *embed.Options) { o.BaseURL = "http://:80/v1" }},
		{"base URL holds a user", func(o *embed.Options) { o.BaseURL = "https://me:pw@example.com" }},
		{"base URL holds a query or a fragment", func(o *embed.Options) { o.BaseURL += "?key=1" }},
		{"base URL holds a query or a fragment", func(o *embed.Options) { o.BaseURL += "#" }},
		{"model is not set", func(o *embed.Options) { o.Model = " " }},
		{"key holds a control character", func(o *embed.Options) { o.APIKey = "sk-1\n" }},
		{"dimensions is negative", func(o *embed.Options) { o.Dimensions = -1 }},
		{"batch size is negative", func(o *embed.Options) { o.BatchSize = -1 }},
		{"timeout is negative", func(o *embed.Options) { o.Timeout = -1 }},
		{"number of attempts is negative", func(o *embed.Options) { o.MaxAttempts = -1 }},
		{"circuit breaker is negative", func(o *embed.Options) { o.OpenFor = -1 }},
	} {
		o := valid
		test.edit(&o)
		_, err := embed.New(o)
		wantError(t, err, ctxmcp.CodeInvalid, test.message)
	}
}
