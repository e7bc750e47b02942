package embedtest_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/llm/embed/embedtest"
	"github.com/google/go-cmp/cmp"
)

func dot(a, b []float32) float64 {
	var sum float64
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func TestHashed(t *testing.T) {
	hashed := embedtest.Hashed(256)
	about := func(got, want float64) bool { return got > want-1e-6 && got < want+1e-6 }
	for _, text := range []string{"red fox", "", " ", "!?", "日本語 テスト"} {
		if got := dot(hashed(text), hashed(text)); !about(got, 1) {
			t.Errorf("squared length of %q = %v, want 1", text, got)
		}
	}
	if diff := cmp.Diff(hashed("the red fox"), hashed("Fox, red: THE")); diff != "" {
		t.Errorf("the same words in another order differ:\n%s", diff)
	}
	near, far := dot(hashed("the red fox"), hashed("a red fox")), dot(hashed("the red fox"), hashed("deep blue whale"))
	if near <= far {
		t.Errorf("similarity = %v with shared words, %v without, want more with", near, far)
	}
}

func post(t *testing.T, client *http.Client, url, body string) (int, string) {
	t.Helper()
	resp, err := client.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	got, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(got)
}

func TestServer(t *testing.T) {
	srv := embedtest.NewServer(t, func(text string) []float32 { return []float32{float32(len(text))} })
	for name, client := range map[string]*http.Client{"network": http.DefaultClient, "in process": srv.InProcess()} {
		t.Run(name, func(t *testing.T) {
			for _, test := range []struct {
				path, body string
				status     int
				answer     string
			}{
				{"/embeddings", `{"model":"m","input":["ab","c"]}`, 200, `{"data":[` +
					`{"object":"embedding","index":0,"embedding":[2]},` +
					`{"object":"embedding","index":1,"embedding":[1]}],"model":"m","object":"list"}`},
				{"/embeddings", `{"model":"m","input":[]}`, 400, "model and input are required\n"},
				{"/embeddings", `{"model":"m","input":[""]}`, 400, "model and input are required\n"},
				{"/embeddings", `{`, 400, "model and input are required\n"},
				{"/chat", `{}`, 404, "404 page not found\n"},
			} {
				status, answer := post(t, client, srv.URL+test.path, test.body)
				if status != test.status || answer != test.answer {
					t.Errorf("POST %s %s = %d %s, want %d %s", test.path, test.body, status, answer, test.status, test.answer)
				}
			}
		})
	}
	if got := srv.Requests(); got != 2 {
		t.Errorf("Requests() = %d, want 2", got)
	}
}

func TestFaultsAreTakenInOrder(t *testing.T) {
	srv := embedtest.NewServer(t, embedtest.Hashed(4))
	srv.InjectAlways(embedtest.Status(503))
	srv.Inject(embedtest.Status(500), embedtest.RetryAfter(429, "1"))
	var got []int
	for range 4 {
		status, _ := post(t, http.DefaultClient, srv.URL+"/embeddings", `{"model":"m","input":["x"]}`)
		got = append(got, status)
	}
	if diff := cmp.Diff([]int{500, 429, 503, 503}, got); diff != "" {
		t.Errorf("statuses differ (-want +got):\n%s", diff)
	}
}
