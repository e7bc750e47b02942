package sqlite

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp"
)

// TestObjectMembers: a member of the object that has no row would have every object read twice.
func TestObjectMembers(t *testing.T) {
	of := reflect.TypeFor[ctxmcp.ContextObject]()
	for i := range of.NumField() {
		if name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ","); name != "-" && objectMembers[name] == nil {
			t.Errorf("objectMembers[%q] = nil, want how it is read", name)
		}
	}
}

// TestObjectOf: an object is read as encoding/json reads it, with nothing left to that package.
func TestObjectOf(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 500 {
		var o ctxmcp.ContextObject
		fillIn(r, reflect.ValueOf(&o).Elem())
		text, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		var want, got ctxmcp.ContextObject
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		f := form{rest: string(text)}
		usual := f.members(func(name string) bool { m := objectMembers[name]; return m != nil && m(&f, &got) })
		if !usual || f.rest != "" {
			t.Fatalf("%s is left at %q, want all of it read", text, f.rest)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("objectOf(%s) differs from encoding/json: -want +got\n%s", text, diff)
		}
	}
}

// TestObjectOfOtherForms: a text in another form is read as encoding/json reads it, errors included.
func TestObjectOfOtherForms(t *testing.T) {
	for _, text := range []string{
		`{}`, `{ "content" : "a" }`, `{"content":null,"version":1}`, `{"Content":"a"}`, `{"content":"a","more":[1,{}]}`, `{"content":"a","content":"b"}`,
		`{"decay_rule":null,"closing":{"reason":"x"}}`, `{"claim":{"subject":"a","other":1}}`, "{\"content\":\"\xff\"}", `{"content":"\ud800 \u00e9 \n"}`,
		``, `null`, `[]`, `{"content":"a"`, `{"content":"a}`, `{"content":"a"}}`, `{"version":"1"}`, `{"version":1.5}`, `{"valid_from":"today"}`, `{"content":"a\`,
		`{"archived":1}`, `{"aliases":["a"`, `{"aliases":["a" "b"]}`, `{"permission_scope":[]}`, `{"permission_scope":{"allow_roles":["x"]}}`, "{\"content\":\"a\nb\"}",
	} {
		var want ctxmcp.ContextObject
		wanted := json.Unmarshal([]byte(text), &want)
		got, err := objectOf(text)
		if fmt.Sprint(err) != fmt.Sprint(wanted) {
			t.Errorf("objectOf(%s) = %v, want %v", text, err, wanted)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("objectOf(%s) differs from encoding/json: -want +got\n%s", text, diff)
		}
	}
}

// fillIn puts random values in.
func fillIn(r *rand.Rand, v reflect.Value) {
	if _, is := v.Interface().(time.Time); is {
		if r.IntN(3) > 0 {
			v.Set(reflect.ValueOf(time.UnixMicro(r.Int64N(4e15)).UTC()))
		}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fillIn(r, v.Field(i))
		}
	case reflect.Pointer:
		if r.IntN(2) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fillIn(r, v.Elem())
		}
	case reflect.Slice:
		if n := r.IntN(4); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n-1, n-1))
		}
		for i := range v.Len() {
			fillIn(r, v.Index(i))
		}
	case reflect.String:
		parts := []string{"", "a word ", "“ü” ", "\\", "\"", "\n", "</b>&", "\u2028", "日本 ", "{}[],:", "\x01"}
		text := ""
		for range r.IntN(4) {
			text += parts[r.IntN(len(parts))]
		}
		v.SetString(text)
	case reflect.Float64:
		v.SetFloat([]float64{0, 0.5, 1, 1e-9, 3e22, -2.25}[r.IntN(6)])
	case reflect.Int:
		v.SetInt(int64(r.IntN(5) * r.IntN(1000)))
	case reflect.Bool:
		v.SetBool(r.IntN(2) > 0)
	}
}

func BenchmarkObjectOf(b *testing.B) {
	text, err := json.Marshal(ctxmcp.ContextObject{
		ObjectID: "01a21811-5f90-7071-97f6-e78fa41c3f78", Content: "Crate 9999 of the north line stands in harbour 8 since week 15 of the year.", TenantID: "local", UserID: "root",
		Claim: ctxmcp.Claim{Subject: "Crate 9999", Predicate: "harbour", Value: "8"}, ValidFrom: time.UnixMicro(1e15), TxStart: time.UnixMicro(1e15), Version: 1,
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := objectOf(string(text)); err != nil {
			b.Fatal(err)
		}
	}
}
