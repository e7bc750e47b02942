package schema

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/storetest/canceltest"
)

// large holds the kinds of arguments of a tool: names, lists, and any JSON.
type large struct {
	Content string          `json:"content"`
	Tags    []string        `json:"tags,omitempty"`
	Any     json.RawMessage `json:"any,omitempty"`
}

func largeChecker(t *testing.T) *Checker {
	t.Helper()
	c, err := NewChecker(Input(reflect.TypeFor[large](), nil), "argument")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestLargeArgumentsEndWithTheirContext: a check can be given up, whichever of the arguments is large.
func TestLargeArgumentsEndWithTheirContext(t *testing.T) {
	c := largeChecker(t)
	var members []string
	for i := range 20_000 {
		members = append(members, fmt.Sprintf(`"m%d":1`, i))
	}
	for name, text := range map[string]string{
		"an object for a text": `{"content":{` + strings.Join(members, ",") + `}}`,
		"unknown arguments":    `{"content":"x",` + strings.Join(members, ",") + `}`,
		"a list":               `{"content":"x","tags":["a"` + strings.Repeat(`,"a"`, 50_000) + `]}`,
		"a list of the wrong":  `{"content":"x","tags":[1` + strings.Repeat(`,1`, 50_000) + `]}`,
	} {
		t.Run(name, func(t *testing.T) {
			canceltest.Law{Bytes: len(text), Every: 32 << 10, Work: func(ctx context.Context) error {
				err := c.Check(ctx, []byte(text))
				if errors.Is(err, context.Canceled) {
					return err
				}
				return ctx.Err() // a problem is told, whether or not somebody waits
			}}.Check(t)
		})
	}
}

// TestAnyJSONIsNotDecoded: an argument that may be any JSON is decoded by its reader, and costs the check next to nothing.
func TestAnyJSONIsNotDecoded(t *testing.T) {
	c, text := largeChecker(t), []byte(`{"content":"x","any":[1`+strings.Repeat(`,{"a":[]}`, 20_000)+`]}`)
	if n := testing.AllocsPerRun(3, func() { _ = c.Check(t.Context(), text) }); n > 200 {
		t.Errorf("the check takes %.0f allocations, want no more than for a small value", n)
	}
	if err := c.Check(t.Context(), text); err != nil {
		t.Errorf("Check = %v, want it to fit", err)
	}
}

// TestLongListsAreCheckedToTheEnd: a problem is told with its place, wherever in a list it is.
func TestLongListsAreCheckedToTheEnd(t *testing.T) {
	c := largeChecker(t)
	for _, at := range []int{0, 1, 999, 1000, 1001, 2000, 4321} {
		tags := strings.Split(strings.Repeat(`"a" `, 4322), " ")[:4322]
		tags[at] = "7"
		err := c.Check(t.Context(), []byte(`{"content":"x","tags":[`+strings.Join(tags, ",")+`]}`))
		if want := fmt.Sprintf(`argument "tags[%d]" must be a string, not a number`, at); err == nil || err.Error() != want {
			t.Errorf("Check = %v, want %s", err, want)
		}
	}
	if err := c.Check(t.Context(), []byte(`{"content":"x","tags":["a"`+strings.Repeat(`,"a"`, 4321)+`]}`)); err != nil {
		t.Errorf("Check = %v, want it to fit", err)
	}
}
