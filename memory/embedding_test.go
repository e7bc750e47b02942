package memory_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/llm/embed"
	"github.com/ctx-mcp/ctx-mcp/llm/embed/embedtest"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/storetest/inmem"
)

const (
	notAnswering = "searched by words only: the embeddings endpoint did not answer"
	notYetMade   = "some memories were searched by words only: their embeddings are still being made"
)

// synonyms embeds by words, and takes a car for a flumper, which is a word of no lexicon.
func synonyms(text string) []float32 {
	return embedtest.Hashed(1024)(strings.ReplaceAll(strings.ToLower(text), "flumper", "car"))
}

// office is a service with an endpoint for embeddings, in fake time.
type office struct {
	*memory.Service
	t      *testing.T
	store  *inmem.Store
	server *embedtest.Server
}

// inFakeTime runs the test in a synctest bubble. The worker that makes the embeddings is not started.
func inFakeTime(t *testing.T, test func(*testing.T, *office)) {
	t.Helper()
	server := embedtest.NewServer(t, synonyms)
	synctest.Test(t, func(t *testing.T) {
		store := &inmem.Store{}
		s, _ := newService(store)
		s.Now, s.Vectors = time.Now, store
		test(t, &office{Service: s, t: t, store: store, server: server})
	})
}

// use makes the service ask questions in the vectors of the model, and returns the worker that makes the others'.
func (o *office) use(model string) *memory.Embedding {
	o.t.Helper()
	client, err := embed.New(embed.Options{BaseURL: o.server.URL, Model: model, HTTPClient: o.server.InProcess()})
	if err != nil {
		o.t.Fatal(err)
	}
	e := memory.NewEmbedding(o.store, o.store, client, slog.New(slog.DiscardHandler))
	o.Embedder, o.Stored = client, e.Wake
	return e
}

// run starts the worker, and returns what stops it and waits until it has.
func run(e *memory.Embedding) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		e.Run(ctx)
	}()
	return func() {
		cancel()
		<-stopped
	}
}

func (o *office) say(content string) string {
	o.t.Helper()
	return remember(o.t, o.Service, ann, memory.Draft{
		Content: content, Source: memory.Source{Kind: ctxmcp.UserStatement}, Scope: atHome,
	}).ObjectID
}

// ask checks what a question is answered with: ids and warnings.
func (o *office) ask(question string, want ...string) {
	o.t.Helper()
	r, err := o.Recall(o.t.Context(), ann, memory.Ask{Query: question, Scope: atHome})
	if err != nil {
		o.t.Fatalf("Recall(%q) = %v", question, err)
	}
	got := slices.Clone(r.Warnings)
	for _, m := range r.Memories {
		got = append(got, m.Object.ObjectID)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		o.t.Errorf("Recall(%q) differs (-want +got):\n%s", question, diff)
	}
}

// left returns the number of versions that have no vector of the model.
func (o *office) left(model string) int {
	o.t.Helper()
	rows, err := o.store.Unembedded(o.t.Context(), model, 1_000_000)
	if err != nil {
		o.t.Fatal(err)
	}
	return len(rows)
}

func (o *office) wantLeft(model string, want int) {
	o.t.Helper()
	if got := o.left(model); got != want {
		o.t.Errorf("%d versions have no vector of %s, want %d", got, model, want)
	}
}

// TestRecallByMeaning: a memory that shares no word with the question is found by its vector, within the caller's own.
func TestRecallByMeaning(t *testing.T) {
	inFakeTime(t, func(t *testing.T, o *office) {
		defer run(o.use("m"))()
		id := o.say("My flumper is green")
		bob := ann
		bob.User = "bob"
		theirs := remember(t, o.Service, bob, memory.Draft{
			Content: "My car is blue", Source: memory.Source{Kind: ctxmcp.UserStatement}, Scope: ctxmcp.Scope{User: "bob"},
		})
		synctest.Wait()
		o.ask("car", id)
		if _, err := o.Forget(t.Context(), ann, id, memory.Retire, "sold"); err != nil {
			t.Fatal(err)
		}
		o.ask("car")
		if theirs.ObjectID == id {
			t.Fatal("the test has one id twice")
		}
	})
}

// TestWritesNeverWait: an endpoint that hangs costs a write nothing, and a question its timeout.
func TestWritesNeverWait(t *testing.T) {
	inFakeTime(t, func(t *testing.T, o *office) {
		o.server.InjectAlways(embedtest.Hang())
		defer run(o.use("m"))()
		begin := time.Now()
		var ids []string
		for i := range 10 {
			ids = append(ids, o.say(fmt.Sprintf("The number %d is green", i)))
			synctest.Wait()
		}
		if waited := time.Since(begin); waited != 0 {
			t.Errorf("ten writes waited %v for the endpoint", waited)
		}
		o.ask("7", notAnswering, ids[7])
		if waited := time.Since(begin); waited != 3*time.Second {
			t.Errorf("a question waited %v for the endpoint, want its timeout", waited)
		}
	})
}

// TestFailureIsAWarning: while the endpoint fails recall goes by words and says so; when it is back, the worker makes
// up for what it missed after a pause, without a further write.
func TestFailureIsAWarning(t *testing.T) {
	inFakeTime(t, func(t *testing.T, o *office) {
		o.server.InjectAlways(embedtest.Status(503))
		defer run(o.use("m"))()
		id := o.say("My flumper is green")
		o.ask("car", notAnswering)
		o.ask("green", notAnswering, id)
		o.wantLeft("m", 1)
		o.server.InjectAlways(nil)
		time.Sleep(2 * time.Minute) // the pauses of the worker, and what the circuit breaker leaves alone
		synctest.Wait()
		o.wantLeft("m", 0)
		o.ask("car", id)
	})
}

// TestFailureIsPausedFor: writes do not drive the worker against an endpoint that fails.
func TestFailureIsPausedFor(t *testing.T) {
	inFakeTime(t, func(t *testing.T, o *office) {
		o.server.InjectAlways(embedtest.Status(401))
		e := o.use("m")
		defer run(e)()
		for i := range 20 {
			o.say(fmt.Sprintf("The number %d is green", i))
			synctest.Wait()
		}
		if got := o.server.Requests(); got != 1 {
			t.Errorf("%d requests before the pause is over, want 1", got)
		}
		time.Sleep(e.Pause)
		synctest.Wait()
		if got := o.server.Requests(); got != 2 {
			t.Errorf("%d requests after the pause, want 2", got)
		}
	})
}

// TestWhatIsMissingIsSaid: a memory without a vector is found by its words, and the answer says that some were.
func TestWhatIsMissingIsSaid(t *testing.T) {
	inFakeTime(t, func(t *testing.T, o *office) {
		o.use("m")
		id := o.say("My flumper is green")
		o.ask("green", notYetMade, id)
	})
}

// TestRestartResumes: a memory that was not embedded when a process ended is embedded by the next, at its start.
func TestRestartResumes(t *testing.T) {
	inFakeTime(t, func(t *testing.T, o *office) {
		o.server.InjectAlways(embedtest.Status(503))
		stop := run(o.use("m"))
		for i := range 200 {
			o.say(fmt.Sprintf("The number %d is green", i))
		}
		stop()
		o.server.InjectAlways(nil)
		o.wantLeft("m", 200)
		begin := time.Now()
		defer run(o.use("m"))()
		synctest.Wait()
		o.wantLeft("m", 0)
		if waited := time.Since(begin); waited != 0 {
			t.Errorf("the next process waited %v", waited)
		}
	})
}

// TestOtherProcesses: a memory that another process stored, without a word to this one, is found after a pause.
func TestOtherProcesses(t *testing.T) {
	inFakeTime(t, func(t *testing.T, o *office) {
		e := o.use("m")
		o.Stored = nil
		defer run(e)()
		synctest.Wait()
		o.say("My flumper is green")
		synctest.Wait()
		o.wantLeft("m", 1)
		time.Sleep(e.Pause)
		synctest.Wait()
		o.wantLeft("m", 0)
	})
}

// TestChangedModel: with another model everything is embedded again, and vectors of the old one count no more.
func TestChangedModel(t *testing.T) {
	inFakeTime(t, func(t *testing.T, o *office) {
		stop := run(o.use("old"))
		id := o.say("My flumper is green")
		synctest.Wait()
		o.ask("car", id)
		stop()
		e := o.use("new")
		o.ask("car", notYetMade)
		defer run(e)()
		synctest.Wait()
		o.wantLeft("new", 0)
		o.ask("car", id)
		for _, call := range o.server.Calls() {
			if call.Model != "old" && call.Model != "new" {
				t.Errorf("a request for the model %q", call.Model)
			}
		}
	})
}

// refusing answers with the status whenever a text is unfit, alone or among others.
func refusing(status int) embedtest.Fault {
	return func(x embedtest.Exchange) {
		unfit := func(text string) bool { return strings.Contains(text, "unfit") }
		if slices.ContainsFunc(x.Call.Input, unfit) {
			embedtest.Status(status)(x)
			return
		}
		embedtest.Rows(func(rows []embedtest.Row) []embedtest.Row { return rows })(x)
	}
}

// TestUnfitTextIsSetAside: a text that the endpoint refuses, as wrong or as too large, holds up no other, and is not
// sent again before the next start.
func TestUnfitTextIsSetAside(t *testing.T) {
	for _, status := range []int{400, 413, 422} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			inFakeTime(t, func(t *testing.T, o *office) {
				o.server.InjectAlways(refusing(status))
				e := o.use("m")
				e.Batch = 4
				unfit := o.say("An unfit text of green")
				for i := range 10 {
					o.say(fmt.Sprintf("The flumper %d is round", i))
				}
				stop := run(e)
				synctest.Wait()
				o.wantLeft("m", 0)
				o.ask("green", unfit)
				made := o.server.Requests()
				for range 5 {
					time.Sleep(e.Pause)
				}
				o.say("The flumper 11 is round")
				synctest.Wait()
				o.wantLeft("m", 0)
				if got := o.server.Requests() - made; got != 1 {
					t.Errorf("%d further requests, want 1 for the new memory", got)
				}
				stop()
				o.server.InjectAlways(nil)
				defer run(o.use("m"))()
				synctest.Wait()
				if !slices.ContainsFunc(o.server.Calls()[made+1:], func(c embedtest.Call) bool {
					return slices.Contains(c.Input, "An unfit text of green")
				}) {
					t.Error("the next start does not try the text again")
				}
			})
		})
	}
}

// TestLongTextIsEmbeddedByItsBeginning: of a text that is over the model's limit the beginning counts, and recall does not
// wait for the rest.
func TestLongTextIsEmbeddedByItsBeginning(t *testing.T) {
	for _, status := range []int{400, 413} {
		inFakeTime(t, func(t *testing.T, o *office) {
			o.server.InjectAlways(func(x embedtest.Exchange) {
				if slices.ContainsFunc(x.Call.Input, func(text string) bool { return len(text) > 3000 }) {
					embedtest.Status(status)(x)
					return
				}
				embedtest.Rows(func(rows []embedtest.Row) []embedtest.Row { return rows })(x)
			})
			defer run(o.use("m"))()
			id := o.say("My flumper. " + strings.Repeat("There is more to say about the weather. ", 400))
			short := o.say("The sky is blue")
			synctest.Wait()
			o.wantLeft("m", 0)
			o.ask("sky", short)
			near, missing, err := o.store.Nearest(t.Context(), visibleToAnn(), "m", synonyms("flumper weather"), 1)
			if err != nil || missing || len(near) != 1 || near[0].Object.ObjectID != id {
				t.Errorf("Nearest = %v, %v, %v, want the long text", near, missing, err)
			}
		})
	}
}

// visibleToAnn returns the query for all that ann has.
func visibleToAnn() memory.Query {
	return memory.Query{Tenant: ann.Tenant, Everywhere: true, Clearance: ctxmcp.HighlyRestricted}
}

// TestForgottenMeanwhile: a memory that is erased while its vector is made leaves no vector behind.
func TestForgottenMeanwhile(t *testing.T) {
	inFakeTime(t, func(t *testing.T, o *office) {
		o.server.Inject(embedtest.Delay(time.Second))
		id := o.say("My flumper is green")
		defer run(o.use("m"))()
		synctest.Wait()
		if _, err := o.Forget(t.Context(), ann, id, memory.Erase, "private"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		o.wantLeft("m", 0)
		o.ask("car")
	})
}

// TestSecretsAreNotEmbedded: neither a memory nor a question takes a secret to the endpoint.
func TestSecretsAreNotEmbedded(t *testing.T) {
	inFakeTime(t, func(t *testing.T, o *office) {
		defer run(o.use("m"))()
		id := o.say("The password is secret-hunter2")
		synctest.Wait()
		o.ask("is secret-hunter2 the password", id)
		for _, call := range o.server.Calls() {
			if strings.Contains(strings.Join(call.Input, " "), "hunter2") {
				t.Errorf("the endpoint was sent %q", call.Input)
			}
		}
	})
}

// TestWakeNeverBlocks: it may be called before, after and more often than the worker looks.
func TestWakeNeverBlocks(t *testing.T) {
	inFakeTime(t, func(t *testing.T, o *office) {
		e := o.use("m")
		for range 100 {
			e.Wake()
		}
		run(e)()
		for range 100 {
			e.Wake()
		}
	})
}

// TestRecallEndsWithItsCaller: a caller that leaves is told so, and is not answered by words alone.
func TestRecallEndsWithItsCaller(t *testing.T) {
	inFakeTime(t, func(t *testing.T, o *office) {
		o.server.InjectAlways(embedtest.Hang())
		o.use("m")
		o.say("My flumper is green")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := o.Recall(ctx, ann, memory.Ask{Query: "green", Scope: atHome}); err == nil {
			t.Error("Recall = nil, want an error for a caller that left")
		}
	})
}
