package memory

// writer carries out the verbs that end in a change of an agent's own: remember, forget, and the rules of the configuration.
type writer struct {
	*Core
	docket *docket
	names  *registrar
}

// recaller answers questions: recall, the candidates of a compile, and history. It writes nothing.
type recaller struct {
	*Core
	names *registrar
	uses  *uses
}

// reviewer puts questions before a person, and carries out the decisions.
type reviewer struct {
	*Core
	docket *docket
	writer *writer
	names  *registrar
}

// keeper ends objects that have had their time, and writes down which objects were used.
type keeper struct {
	*Core
	docket *docket
	uses   *uses
}

// registrar knows the entities that memories name.
type registrar struct{ *Core }

// docket adds questions for a person to a change.
type docket struct{ *Core }
