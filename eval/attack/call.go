package attack

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
)

// Call names one hostile call. The same call of the same server, planted alike, is the same bytes.
type Call struct {
	Seed   uint64 `json:"seed"`
	Target string `json:"target"`
	N      int    `json:"n"`
	Max    int    `json:"max"` // bytes of the longest text in it
}

// Maker makes the calls of a server.
type Maker struct {
	Targets []Target
	Seed    uint64
	Max     int // bytes of the longest text in a call
}

// Body returns the message of a call. Its ids are those of planted objects.
func (m *Maker) Body(c Call, p *Planted) ([]byte, error) {
	for _, t := range m.Targets {
		if t.Name == c.Target {
			g := newGen(c, p)
			if t.Input == nil {
				return request("resources/read", fmt.Sprintf(`{"uri":%s}`, quoted(g.resource(t)))), nil
			}
			return request("tools/call", fmt.Sprintf(`{"name":%s,"arguments":%s}`, quoted(t.Name), g.arguments(t.Input))), nil
		}
	}
	return nil, fmt.Errorf("the server has no %q", c.Target)
}

// request returns a JSON-RPC request with the parameters as they are.
func request(method, params string) []byte {
	return []byte(`{"jsonrpc":"2.0","id":7,"method":"` + method + `","params":` + params + `}`)
}

// gen makes one call.
type gen struct {
	r       *rand.Rand
	kinds   []kind
	planted *Planted
	max     int
	unique  string // begins the ids that nothing else has
	made    int    // of those ids
}

func newGen(c Call, p *Planted) *gen {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%s/%d", c.Target, c.N) // a hash takes everything
	return &gen{
		r: rand.New(rand.NewPCG(c.Seed, h.Sum64())), kinds: kinds, planted: p, max: c.Max,
		unique: fmt.Sprintf("%x-%x", c.Seed, h.Sum64()>>32),
	}
}

func (g *gen) chance(p float64) bool { return g.r.Float64() < p }

// pick returns one of several.
func pick[T any](g *gen, of []T) T { return of[g.r.IntN(len(of))] }

// size returns a number of bytes: mostly few, seldom as many as there may be.
func (g *gen) size() int {
	switch p := g.r.Float64(); {
	case p < 0.60:
		return 1 + g.r.IntN(2<<10)
	case p < 0.93:
		return 1 + g.r.IntN(min(32<<10, g.max))
	case p < 0.995:
		return 1 + g.r.IntN(min(256<<10, g.max))
	default:
		return g.max
	}
}

// many returns a number of elements for a list of small things.
func (g *gen) many() int { return 1 + g.size()/16 }

// resource returns the address of a resource with something hostile in it.
func (g *gen) resource(t Target) string {
	return t.uri(func(name string) string {
		if g.chance(0.2) {
			return g.planted.one(g, "artifact_id")
		}
		var text string
		if json.Unmarshal([]byte(g.foulText()), &text) != nil || text == "" {
			return strings.Repeat("../", 1+g.r.IntN(10)) + name
		}
		return text
	})
}

// arguments returns hostile arguments. Most have one hostile value and are otherwise as the tool wants them, so that they get past
// the checks in front of it.
func (g *gen) arguments(s *schema) string {
	names := s.names()
	if len(names) == 0 {
		return g.foulJSON()
	}
	switch p := g.r.Float64(); {
	case p < 0.02:
		return g.foulJSON()
	case p < 0.80:
		return g.object(s, map[string]bool{g.victim(names): true})
	case p < 0.95:
		return g.object(s, map[string]bool{g.victim(names): true, g.victim(names): true})
	default:
		foul := map[string]bool{}
		for _, name := range names {
			foul[name] = g.chance(0.5)
		}
		return g.object(s, foul)
	}
}

// victim returns the name of an argument. Every tool has a scope, which is attacked less often.
func (g *gen) victim(names []string) string {
	name := pick(g, names)
	if name == "scope" && g.chance(0.8) {
		name = pick(g, names)
	}
	return name
}

// object returns an object with hostile values under some names, and fair ones under the others that it needs.
func (g *gen) object(s *schema, foul map[string]bool) string {
	var members []string
	for _, name := range s.names() {
		property := s.Properties[name]
		switch {
		case foul[name]:
			members = append(members, quoted(name)+":"+g.foul(name, property))
		case s.requires(name) || g.chance(0.12):
			members = append(members, quoted(name)+":"+g.fair(name, property))
		}
	}
	if g.chance(0.02) && len(members) > 0 {
		members = append(members, pick(g, members)) // a name that stands twice
	}
	return "{" + strings.Join(members, ",") + "}"
}

// quoted returns a text as JSON.
func quoted(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string is always JSON
	return strings.TrimSuffix(b.String(), "\n")
}
