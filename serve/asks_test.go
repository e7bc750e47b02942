package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// startAsking is startStdio with a tool that asks and a client that can, past initialize.
func startAsking(t *testing.T, f *fixture) *conversation {
	c := startStdio(t, f)
	c.write(initializeAsking)
	synctest.Wait()
	same(t, "initialize", []string{"1 result"}, brief(c.read()))
	return c
}

// asked returns the id of the one question in the output since the last read.
func (c *conversation) asked() string {
	c.t.Helper()
	synctest.Wait()
	fresh := c.read()
	same(c.t, "a question", []string{"elicitation/create"}, brief(fresh))
	var m struct{ ID json.RawMessage }
	if err := json.Unmarshal([]byte(strings.Join(fresh, "")), &m); err != nil {
		c.t.Fatal(err)
	}
	return string(m.ID)
}

// reply returns the answer to a question; id is JSON.
func reply(id, result string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
}

const (
	choseBlue = `{"action":"accept","content":{"choice":"blue"}}`
	choseRed  = `{"action":"accept","content":{"choice":"red"}}`
)

func TestAnswersThatNobodyWaitsForAreDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startAsking(t, newFixture(t).addAsk(&Asker{}))
		c.write(reply(`"ask-1"`, choseRed), toolCall(2, "ask")) // an answer before its question
		id := c.asked()
		if id != `"ask-1"` {
			t.Fatalf("the question has the id %s", id)
		}
		c.write(reply(`"ask-2"`, choseRed), reply(`1`, choseRed), reply(`"1"`, choseRed), reply(`""`, choseRed))
		synctest.Wait()
		same(t, "after answers to nothing", []string(nil), brief(c.read()))
		c.write(reply(id, choseBlue), reply(id, choseRed)) // the second is late
		synctest.Wait()
		same(t, "after the answer", []string{"2 1 accept blue"}, brief(c.read()))
		c.end()
	})
}

func TestMalformedAnswers(t *testing.T) {
	for _, answer := range []string{
		`"result":[]`, `"result":"accept"`, `"result":null,"error":null`, `"result":{}`, `"result":{"action":7}`,
		`"result":{"action":"accept","content":[]}`, `"result":{"action":"accept","content":{"choice":{"a":1}}}`,
		`"error":{"code":-32601,"message":"no such method"}`, `"error":"no"`, `"error":{}`,
	} {
		synctest.Test(t, func(t *testing.T) {
			c := startAsking(t, newFixture(t).addAsk(&Asker{}))
			c.write(toolCall(2, "ask"))
			c.write(`{"jsonrpc":"2.0","id":` + c.asked() + `,` + answer + `}`)
			synctest.Wait()
			same(t, answer, []string{"2 1 unanswered"}, brief(c.read()))
			c.end()
		})
	}
}

// TestQuestionHoldsUpNobody: neither calls that read nor calls that write wait for a person.
func TestQuestionHoldsUpNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t).addAsk(&Asker{})
		f.AddTool(mcp.NewTool("write"), f.whoami)
		c := startAsking(t, f)
		c.write(toolCall(2, "ask"), toolCall(3, "whoami"), toolCall(4, "write"), toolCall(5, "whoami"), rpc(6, "ping", nil))
		synctest.Wait()
		fresh := c.read()
		got := brief(fresh)
		slices.Sort(got)
		same(t, "beside a question", []string{"3  true", "4  true", "5  true", "6 result", "elicitation/create"}, got)
		c.write(reply(`"ask-1"`, choseRed))
		synctest.Wait()
		same(t, "after the answer", []string{"2 1 accept red"}, brief(c.read()))
		c.end()
	})
}

// TestManyQuestionsLeaveRoomForAnswers: however many calls ask at once, the input is still read.
func TestManyQuestionsLeaveRoomForAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startAsking(t, newFixture(t).addAsk(&Asker{}))
		for i := range maxCalls + 10 {
			c.write(toolCall(100+i, "ask"))
		}
		synctest.Wait()
		count := map[string]int{}
		for _, line := range brief(c.read()) {
			_, what, _ := strings.Cut(line, " ")
			_, what, _ = strings.Cut(what, " ")
			count[what]++
		}
		if count[""] != maxOpen || count["unanswered"] != maxCalls+10-maxOpen {
			t.Errorf("outcomes = %v, want %d questions and the rest unanswered", count, maxOpen)
		}
		c.write(reply(`"ask-1"`, choseRed), toolCall(2, "whoami"))
		synctest.Wait()
		got := brief(c.read())
		slices.Sort(got)
		same(t, "afterwards", []string{"100 1 accept red", "2  true"}, got)
		c.in.Close()
		<-c.done
		c.stop()
	})
}

func TestQuestionThatNobodyAnswersEnds(t *testing.T) {
	for timeout, want := range map[time.Duration]time.Duration{0: 2 * time.Minute, time.Second: time.Second} {
		synctest.Test(t, func(t *testing.T) {
			c := startAsking(t, newFixture(t).addAsk(&Asker{Timeout: timeout}))
			c.write(toolCall(2, "ask"))
			id := c.asked()
			time.Sleep(want - time.Nanosecond)
			synctest.Wait()
			same(t, "before the end", []string(nil), brief(c.read()))
			time.Sleep(time.Nanosecond)
			synctest.Wait()
			fresh := c.read()
			same(t, "in the end", []string{cancelled, "2 1 unanswered"}, brief(fresh))
			if !strings.Contains(fresh[0], `"requestId":`+id) {
				t.Errorf("cancelled: %s, want %s", fresh[0], id)
			}
			c.write(reply(id, choseRed)) // too late
			c.end()
			same(t, "afterwards", []string(nil), brief(c.read()))
		})
	}
}

// TestEndMidQuestion: every end of the service ends its questions at once, and the calls still answer.
func TestEndMidQuestion(t *testing.T) {
	ends := map[string]func(*conversation){
		"the client closes the input": func(c *conversation) { c.in.Close() },
		"a signal":                    func(c *conversation) { c.stop() },
	}
	for name, end := range ends {
		synctest.Test(t, func(t *testing.T) {
			c := startAsking(t, newFixture(t).addAsk(&Asker{}))
			began := time.Now()
			c.write(toolCall(2, "ask"))
			c.asked()
			end(c)
			if err := <-c.done; err != nil {
				t.Errorf("%s: Stdio = %v, want nil", name, err)
			}
			if took := time.Since(began); took != 0 {
				t.Errorf("%s: the question held up the end for %s", name, took)
			}
			same(t, name, []string{cancelled, "2 1 unanswered"}, brief(c.read()))
			c.in.Close()
			c.stop()
		})
	}
}

// TestAnswerRightBeforeTheEnd: an answer that has come counts, though the end comes before anyone looks at it.
func TestAnswerRightBeforeTheEnd(t *testing.T) {
	for range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		waiting := newAsks()
		result, err := waiting.elicit(ctx, "s", mcp.ElicitationParams{}, func(any) {
			waiting.answer("s", message{ID: json.RawMessage(`"ask-1"`)}, []byte(reply(`"ask-1"`, choseBlue)))
			cancel()
		})
		if err != nil || read(colour("the door"), result).Value != "blue" {
			t.Fatalf("elicit = %v, %v, want the answer", result, err)
		}
	}
}

// TestNoQuestionAfterTheEnd: a call that comes to its question when no answer can come any more does not ask.
func TestNoQuestionAfterTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t).addAsk(&Asker{})
		f.AddTool(mcp.NewTool("nap"), nap(time.Second))
		c := startAsking(t, f)
		c.write(toolCall(2, "nap"), toolCall(3, "ask"))
		c.end()
		same(t, "after the end", []string{"2 rested", "3 1 unanswered"}, brief(c.read()))
	})
}

func TestCallCancelledMidQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startAsking(t, newFixture(t).addAsk(&Asker{}))
		c.write(toolCall(2, "ask"))
		c.asked()
		c.write(rpc(0, cancelled, map[string]any{"requestId": 2}))
		synctest.Wait()
		same(t, "after the cancellation", []string{cancelled}, brief(c.read()))
		c.end()
	})
}

// TestClientWithoutForms: a capability that names only the other mode is none for a form.
func TestClientWithoutForms(t *testing.T) {
	for capability, want := range map[string]string{
		`{"elicitation":{"url":{}}}`: "2 1 unsupported", `{"elicitation":{"url":{},"form":{}}}`: cancelled, `{}`: "2 1 unsupported",
	} {
		synctest.Test(t, func(t *testing.T) {
			c := startStdio(t, newFixture(t).addAsk(&Asker{}))
			c.write(strings.Replace(initialize, `"capabilities":{}`, `"capabilities":`+capability, 1), toolCall(2, "ask"))
			synctest.Wait()
			c.end()
			if got := brief(c.read()); !slices.Contains(got, want) {
				t.Errorf("%s: %q, want %q", capability, got, want)
			}
		})
	}
}

// TestAnswersAreNotLogged: the log holds neither the choice nor the error text of a client.
func TestAnswersAreNotLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t).addAsk(&Asker{})
		c := startAsking(t, f)
		c.write(toolCall(2, "ask"))
		c.write(reply(c.asked(), `{"action":"accept","content":{"choice":"`+secret+`"}}`))
		synctest.Wait()
		same(t, "after the first", []string{"2 1 unanswered"}, brief(c.read()))
		c.write(toolCall(3, "ask"))
		c.write(`{"jsonrpc":"2.0","id":` + c.asked() + `,"error":{"code":1,"message":"` + secret + `"}}`)
		c.end()
		if strings.Contains(f.log.String(), secret) {
			t.Errorf("the log has it: %s", f.log)
		}
	})
}
