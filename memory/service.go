package memory

import "github.com/ctx-mcp/ctx-mcp"

// Service carries out the verbs of memory. Each is a method of the part that owns it: the writer, the recaller, the
// reviewer, the keeper, or the registrar of entities. They share one Core, whose fields may be set until the first call.
type Service struct {
	*Core
	*writer
	*recaller
	*reviewer
	*keeper
	*registrar
}

// New returns the service over the core. The zero Options work; so do no vectors, no entities and no callbacks.
func New(c Core) *Service {
	core := &c
	core.turn = &ctxmcp.Lock{}
	asks, names, used := &docket{core}, &registrar{core}, &uses{}
	w := &writer{core, asks, names}
	return &Service{
		Core: core, writer: w, registrar: names,
		recaller: &recaller{core, names, used},
		reviewer: &reviewer{core, asks, w, names},
		keeper:   &keeper{core, asks, used},
	}
}
