package sqlite

import (
	"reflect"
	"slices"
	"testing"

	"github.com/ctx-mcp/ctx-mcp/artifacts"
	"github.com/ctx-mcp/ctx-mcp/memory"
	"github.com/ctx-mcp/ctx-mcp/packets"
)

// TestTenantsOfEveryPart: the tenants of a change are those of all of its parts, whichever parts it gets.
func TestTenantsOfEveryPart(t *testing.T) {
	var c memory.Change
	var a artifacts.Change
	var p packets.Change
	for _, one := range []struct {
		change  any
		tenants func() []string
	}{
		{&c, func() []string { return tenantsOf(c) }},
		{&a, func() []string { return tenantsOfArtifacts(a) }},
		{&p, func() []string { return tenantsOfPackets(p) }},
	} {
		want := name(reflect.ValueOf(one.change).Elem(), "")
		got := slices.Sorted(slices.Values(one.tenants()))
		if slices.Sort(want); len(want) == 0 || !slices.Equal(want, got) {
			t.Errorf("the tenants of %T are %q, want %q", one.change, got, want)
		}
	}
}

// name gives each part of a change a tenant that is called as the part, and returns these.
func name(v reflect.Value, part string) (names []string) {
	for i := range v.NumField() {
		field, of := v.Field(i), v.Type().Field(i)
		switch {
		case of.Name == "Tenant" || of.Name == "TenantID":
			field.SetString(part)
			return []string{part}
		case of.Name == "Same": // no store looks at it
		case field.Kind() == reflect.Slice && field.Type().Elem().Kind() == reflect.Struct:
			field.Set(reflect.MakeSlice(field.Type(), 1, 1))
			names = append(names, name(field.Index(0), part+"."+of.Name)...)
		case field.Kind() == reflect.Pointer && field.Type().Elem().Kind() == reflect.Struct && part == "":
			field.Set(reflect.New(field.Type().Elem()))
			names = append(names, name(field.Elem(), part+"."+of.Name)...)
		case field.Kind() == reflect.Struct:
			names = append(names, name(field, part+"."+of.Name)...)
		}
	}
	return names
}
