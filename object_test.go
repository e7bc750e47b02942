package ctxmcp_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
)

// fill sets everything that v holds to something that is not zero, so that a field added later is tested too.
func fill(t *testing.T, v reflect.Value, n *int) {
	t.Helper()
	*n++
	switch v.Kind() {
	case reflect.String:
		v.SetString("é \"<&>\" " + string(rune('a'+*n%26)))
	case reflect.Int:
		v.SetInt(int64(*n))
	case reflect.Float64:
		v.SetFloat(float64(*n) / 7)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(t, v.Index(0), n)
		fill(t, v.Index(1), n)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(noon.Add(time.Duration(*n) * time.Microsecond)))
			return
		}
		for _, field := range v.Fields() {
			fill(t, field, n)
		}
	default:
		t.Fatalf("no value for a %s", v.Type())
	}
}

// TestObjectJSON: an object comes back from JSON as it was, whether everything that is stored of it is set or nothing.
func TestObjectJSON(t *testing.T) {
	var full, empty ctxmcp.ContextObject
	n := 0
	fill(t, reflect.ValueOf(&full).Elem(), &n)
	for _, o := range []ctxmcp.ContextObject{full, empty} {
		text, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		o.OutdatedPart = "" // of one answer
		var got ctxmcp.ContextObject
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(o, got); diff != "" {
			t.Errorf("the way through JSON changes it (-want +got):\n%s\n%s", diff, text)
		}
	}
}

func TestObject(t *testing.T) {
	o := ctxmcp.ContextObject{
		UserID: "ann", ProjectID: "web", SessionID: "s", TaskID: "t", Layer: ctxmcp.ProjectLayer,
		ValidFrom: hour(1), ValidUntil: hour(2), TxStart: hour(3), TxEnd: hour(4),
		ContradictionStatus: ctxmcp.Clean, SupersessionLink: "next",
	}
	if got, want := o.Scope().Namespace(), "user_ann:project_web:session_s:task_t"; got != want {
		t.Errorf("Scope() = %q, want %q", got, want)
	}
	if got, want := o.Home().Namespace(), "user_ann:project_web"; got != want {
		t.Errorf("Home() = %q, want %q", got, want)
	}
	if o.Valid() != (ctxmcp.Interval{From: hour(1), To: hour(2)}) || o.Tx() != (ctxmcp.Interval{From: hour(3), To: hour(4)}) {
		t.Errorf("Valid() = %v, Tx() = %v", o.Valid(), o.Tx())
	}
	if o.StatusNow() != ctxmcp.Clean || o.LinkNow() != "next" {
		t.Errorf("open: %q -> %q, want what it is", o.StatusNow(), o.LinkNow())
	}
	o.Closing = &ctxmcp.Closing{Reason: "retire"}
	if o.StatusNow() != ctxmcp.Clean || o.LinkNow() != "next" {
		t.Errorf("closed without a word: %q -> %q, want what it was", o.StatusNow(), o.LinkNow())
	}
	o.Closing = &ctxmcp.Closing{Status: ctxmcp.Overridden, Link: "last"}
	if o.StatusNow() != ctxmcp.Overridden || o.LinkNow() != "last" {
		t.Errorf("closed: %q -> %q, want what it became", o.StatusNow(), o.LinkNow())
	}
}
