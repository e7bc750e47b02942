package tasks_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctx-mcp/ctx-mcp/tasks"
)

// TestRerun: a task that runs again hands on its newest artifact; one that is no longer wanted can be taken out.
func TestRerun(t *testing.T) {
	f := newFixture(t)
	first, second := f.put(t, "", `{"market_size":"$832B"}`), f.put(t, "", `{"market_size":"$999B"}`)
	f.save(t, tasks.Draft{ID: "t", ArtifactIDs: []string{first}})
	f.save(t, tasks.Draft{ID: "t", ArtifactIDs: []string{second}})
	if got := f.declare(t, tasks.Ask{ID: "t", Fields: []string{"market_size"}}).Fields["market_size"]; string(got.Value) != `"$999B"` || got.Artifact != second {
		t.Errorf("after a second run: %s of %s, want that of %s", got.Value, got.Artifact, second)
	}
	v := f.save(t, tasks.Draft{ID: "t", RemoveIDs: []string{second}})
	if len(v.References) != 1 || v.References[0].ID != first {
		t.Errorf("after the removal: %+v, want %s alone", v.References, first)
	}
}

// TestRemovedWithoutBeingNamed: an artifact that was put for the task is taken out like one that was named, and can come back.
func TestRemovedWithoutBeingNamed(t *testing.T) {
	f := newFixture(t)
	put, fresh := f.put(t, "t", `{"a":1}`), f.put(t, "", `{"a":2}`)
	f.save(t, tasks.Draft{ID: "t"})
	for _, step := range []struct {
		add, remove, want []string
	}{
		{want: []string{put}},
		{add: []string{fresh}, remove: []string{put}, want: []string{fresh}},
		{want: []string{fresh}},
		{add: []string{put}, want: []string{fresh, put}},
	} {
		f.save(t, tasks.Draft{ID: "t", ArtifactIDs: step.add, RemoveIDs: step.remove})
		v, err := f.Get(t.Context(), ann, here, "t")
		var got []string
		for _, a := range v.References {
			got = append(got, a.ID)
		}
		if err != nil || !slices.Equal(got, step.want) {
			t.Errorf("after %+v: %v, %v", step, got, err)
		}
	}
}

// TestList: tasks are listed from where they are visible, the last saved first, each once.
func TestList(t *testing.T) {
	f := newFixture(t)
	if list, all, err := f.List(t.Context(), ann, here); err != nil || all != 0 || tasks.Listing(list, all) != "No task is saved here." {
		t.Errorf("List of nothing = %v, %d, %v", list, all, err)
	}
	f.save(t, tasks.Draft{ID: "first", Summary: "the first"})
	f.save(t, tasks.Draft{ID: "second"})
	f.save(t, tasks.Draft{ID: "first"})
	list, all, err := f.List(t.Context(), ann, here)
	if err != nil || all != 2 || list[0].ID != "first" || list[0].Version != 2 {
		t.Errorf("List = %+v, %d, %v", list, all, err)
	}
	if text := tasks.Listing(list, all); !strings.Contains(text, "2 task(s)") || !strings.Contains(text, "first, version 2 of ") || !strings.Contains(text, ": the first") {
		t.Errorf("Listing:\n%s", text)
	}
	elsewhere := here
	elsewhere.Project = "elsewhere"
	if _, all, err := f.List(t.Context(), ann, elsewhere); err != nil || all != 0 {
		t.Errorf("List from elsewhere = %d, %v", all, err)
	}
}

// TestNestedFields: a plain name is found at any depth, and the path says where; what stands at the top comes first.
func TestNestedFields(t *testing.T) {
	f := newFixture(t)
	id := f.put(t, "", `{"query":"q","results":[{"title":"A"},{"title":"B","market_size":"$832B","cagr":null}]}`)
	f.save(t, tasks.Draft{ID: "t", ArtifactIDs: []string{id}})
	d := f.declare(t, tasks.Ask{ID: "t", Fields: []string{"market_size", "cagr", "query", "nowhere"}})
	for name, want := range map[string][2]string{"market_size": {`"$832B"`, "$['results'][1]['market_size']"}, "cagr": {"null", "$['results'][1]['cagr']"}, "query": {`"q"`, "$['query']"}} {
		if got := d.Fields[name]; string(got.Value) != want[0] || got.Path != want[1] {
			t.Errorf("%s = %s at %s, want %s at %s", name, got.Value, got.Path, want[0], want[1])
		}
	}
	if len(d.Missing) != 1 || d.Missing[0] != "nowhere" {
		t.Errorf("missing %v, want nowhere", d.Missing)
	}
}

// TestFieldsOfTexts: a name of other case and signs is found in a line, a table of one row and in JSON; where a text names it with several values or
// none, that is said, and it is not given one.
func TestFieldsOfTexts(t *testing.T) {
	f := newFixture(t)
	invoice := f.put(t, "", "Invoice 77\nTotal: 120.50 EUR\nDue date: 2026-12-01\nItem: nails\nItem: glue\nThe customer number is below.")
	table := f.put(t, "", "Order No,Ship To\n991,Delft")
	object := f.put(t, "", `{"bill":{"issuedOn":"2026-11-01","lines":[{"sku":"a"},{"sku":"b"}]}}`)
	f.save(t, tasks.Draft{ID: "t", ArtifactIDs: []string{invoice, table, object}})
	d := f.declare(t, tasks.Ask{ID: "t", Fields: []string{"total", "due_date", "item", "customer_number", "orderNo", "issued_on", "sku", "iban"}})
	want := map[string]tasks.Field{
		"total":     {Value: json.RawMessage(`"120.50 EUR"`), Artifact: invoice, Path: "line 2"},
		"due_date":  {Value: json.RawMessage(`"2026-12-01"`), Artifact: invoice, Path: "line 3"},
		"orderNo":   {Value: json.RawMessage(`"991"`), Artifact: table, Path: "line 2"},
		"issued_on": {Value: json.RawMessage(`"2026-11-01"`), Artifact: object, Path: "$.bill.issuedOn"},
		"sku":       {Value: json.RawMessage(`"a"`), Artifact: object, Path: "$['bill']['lines'][0]['sku']", Values: 2},
	}
	if diff := cmp.Diff(want, d.Fields); diff != "" {
		t.Errorf("fields differ (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"item", "customer_number", "iban"}, d.Missing); diff != "" {
		t.Errorf("missing differs (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"item": invoice, "customer_number": invoice}, d.Named); diff != "" {
		t.Errorf("named differs (-want +got):\n%s", diff)
	}
}

// TestMetadataJoins: a save changes the names that it gives, and takes out those that it gives as null.
func TestMetadataJoins(t *testing.T) {
	f := newFixture(t)
	save := func(text string) map[string]json.RawMessage {
		var m map[string]json.RawMessage
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Fatal(err)
		}
		return f.save(t, tasks.Draft{ID: "t", Metadata: m}).Metadata
	}
	save(`{"branch":"main","step":1}`)
	if m := save(`{"step":2}`); string(m["branch"]) != `"main"` || string(m["step"]) != "2" {
		t.Errorf("metadata %s", m)
	}
	if m := save(`{"branch":null}`); len(m) != 1 {
		t.Errorf("metadata after null: %s", m)
	}
}

// TestParentsAreShown: a task shows what the tasks above it hand on, and from which.
func TestParentsAreShown(t *testing.T) {
	f := newFixture(t)
	id := f.put(t, "", `{"a":1}`)
	f.save(t, tasks.Draft{ID: "top", ArtifactIDs: []string{id}})
	f.save(t, tasks.Draft{ID: "below", Parent: "top"})
	v, err := f.Get(t.Context(), ann, here, "below")
	if err != nil || len(v.Inherited) != 1 || v.Inherited[0].Task != "top" {
		t.Fatalf("Get = %+v, %v", v, err)
	}
	if text := v.Summaries(); !strings.Contains(text, "From task top, which it continues:") || !strings.Contains(text, id) {
		t.Errorf("summaries:\n%s", text)
	}
}

// TestFieldsOfMetadata: the metadata of the task has the fields that no artifact has, then that of its parents; a named artifact alone is looked in.
func TestFieldsOfMetadata(t *testing.T) {
	f := newFixture(t)
	held := f.put(t, "", `{"price":3}`)
	f.save(t, tasks.Draft{ID: "above", Metadata: map[string]json.RawMessage{"owner": json.RawMessage(`"Ines"`), "region": json.RawMessage(`"north"`)}})
	f.save(t, tasks.Draft{ID: "t", Parent: "above", ArtifactIDs: []string{held}, Metadata: map[string]json.RawMessage{
		"price": json.RawMessage(`4`), "run": json.RawMessage(`{"Due Date":"2026-12-04"}`), "region": json.RawMessage(`"south"`)}})
	got := f.declare(t, tasks.Ask{ID: "t", Fields: []string{"price", "due_date", "owner", "region", "$.run", "colour"}})
	want := map[string]tasks.Field{
		"price":    {Value: json.RawMessage(`3`), Artifact: held, Path: "$['price']"},
		"due_date": {Value: json.RawMessage(`"2026-12-04"`), Task: "t", Path: "$.run.Due Date"},
		"owner":    {Value: json.RawMessage(`"Ines"`), Task: "above", Path: "$['owner']"},
		"region":   {Value: json.RawMessage(`"south"`), Task: "t", Path: "$['region']"},
		"$.run":    {Value: json.RawMessage(`{"Due Date":"2026-12-04"}`), Task: "t", Path: "$['run']"},
	}
	if diff := cmp.Diff(want, got.Fields); diff != "" || !slices.Equal(got.Missing, []string{"colour"}) {
		t.Errorf("fields (-want +got), missing %v:\n%s", got.Missing, diff)
	}
	if got := f.declare(t, tasks.Ask{ID: "t", Fields: []string{"owner"}, ArtifactIDs: []string{held}}); len(got.Fields) > 0 {
		t.Errorf("of a named artifact: %v", got.Fields)
	}
}
