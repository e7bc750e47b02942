package entities

import (
	"math"
	"strings"

	"github.com/ctx-mcp/ctx-mcp"
)

// attribute is one piece of evidence that a mention and an entity are one. Weight is in bits: full agreement adds it to the
// logarithm of the odds, and full disagreement takes it away, as in the record linkage of Fellegi and Sunter (A Theory for
// Record Linkage, 1969). Value is in [-1, 1]; 0 says nothing.
type attribute struct {
	name   string
	weight float64
	doc    string
	value  func(*pair) float64
}

var attributes = []attribute{
	{"lexical", 10, "how alike the names are: see comparisons", func(p *pair) float64 { return p.similarity }},
	{"kind", 6, "whether one thing can be of both kinds", kindAgreement},
	{"scope", 1.5, "known where it is said, or only in a wider place", scopeAgreement},
	{"metadata", 6, "what goes with the name: another family name or another address at one domain contradicts, a domain that is " +
		"named after a neighbour agrees", metadataAgreement},
	{"neighbourhood", 2.5, "share of what is named beside it that memories name together with the entity", neighbourhood},
	{"authority", 1, "retrieved text that speaks of what is known on higher authority", sourceAgreement},
}

// prior is the logarithm of the odds, in bits, that an entity that the search keys find is meant at all: one in seventeen.
const prior = -4

// pair is a mention beside an entity that it may name.
type pair struct {
	m          Mention
	nodes      []Entity // of the entity, the canonical one first
	by         Entity   // the node whose name is most like the mention
	similarity float64
	comparison string
	beside     []string // roots that are named beside the mention
	known      *Known
	c          Context
}

// bits returns the logarithm of the odds that both are one.
func (p *pair) bits() float64 {
	sum := float64(prior)
	for _, a := range attributes {
		sum += a.weight * a.value(p)
	}
	return sum
}

// probability turns bits into a score in [0, 1].
func probability(bits float64) float64 { return 1 / (1 + math.Exp2(-bits)) }

// exact reports whether the entity bears the very name.
func (p *pair) exact() bool { return p.comparison == "identical" || p.comparison == "word" }

func kindAgreement(p *pair) float64 {
	agrees := 0.0
	for _, e := range p.nodes {
		switch {
		case !e.Kind.goesWith(p.m.Kind):
			return -1
		case e.Kind == p.m.Kind && e.Kind != Unknown:
			agrees = 0.1
		}
	}
	return agrees
}

func scopeAgreement(p *pair) float64 {
	if p.by.Home == p.c.Home {
		return 1
	}
	return -0.67 // a wider place: a session's project, a project's user
}

func metadataAgreement(p *pair) float64 {
	m := newNamed(p.m.Form, p.m.Kind, p.m.Key)
	value := 0.0
	for _, e := range p.nodes {
		if contradicts(m, p.known.named[e.ID]) {
			return -1
		}
	}
	if _, domain, isAddress := strings.Cut(p.m.Key, "@"); isAddress && domain != "" && p.namedAfterNeighbour(domain) {
		value = 0.3
	}
	return value
}

// contradicts reports whether no one bears both names: two family names, two addresses at one domain.
func contradicts(a, b named) bool {
	if a.form == Email && b.form == Email {
		_, x, _ := strings.Cut(a.key, "@")
		_, y, _ := strings.Cut(b.key, "@")
		return a.key != b.key && x == y
	}
	if !full(a, b) || a.key == b.key {
		return false
	}
	similarity, _ := compare(a, b)
	return similarity == 0
}

func (p *pair) namedAfterNeighbour(domain string) bool {
	label, _, _ := strings.Cut(domain, ".")
	for root := range p.known.near[p.nodes[0].ID] {
		for _, e := range p.known.groups[root] {
			if joined(core(e.Key)) == label && !e.Kind.goesWith(Person) || joined(e.Key) == label {
				return true
			}
		}
	}
	return false
}

func neighbourhood(p *pair) float64 {
	near, shared, others := p.known.near[p.nodes[0].ID], 0, 0
	for _, root := range p.beside {
		if root == p.nodes[0].ID {
			continue
		}
		others++
		if near[root] {
			shared++
		}
	}
	if others == 0 {
		return 0
	}
	return float64(shared) / float64(others)
}

func sourceAgreement(p *pair) float64 {
	if p.c.Authority == ctxmcp.AuthorityRetrieved && authority(p.nodes) < ctxmcp.AuthorityRetrieved {
		return -1
	}
	return 0
}
