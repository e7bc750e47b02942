package entities

// detector finds one sort of name.
type detector struct {
	name string
	doc  string
	find func(*text) []span
}

// detectors lists them in their order: each leaves alone the spans that an earlier one has found. Names with a form of
// their own come first, then those of a vocabulary, then names by their capitals.
var detectors = []detector{
	{"redacted", "the places of secrets, which are no names", placeholders},
	{"email", "addresses", emails},
	{"address", "addresses of pages and repositories, paths and file names", paths},
	{"code", "text in backquotes, calls, and words joined as programs join them", symbols},
	{"ident", "numbers of documents and tickets: ADR-7, RFC 3339, AI-ENG-A", idents},
	{"handle", "@name", handles},
	{"host", "names of machines and services: web-01, payments-api", hosts},
	{"honorific", "names with 田中さん's endings", honoured},
	{"vocabulary", "systems and places that are known by name", known},
	{"role", "roles that one person holds: the CTO", holders},
	{"head", "phrases with a head: the prompt repo, the Data Science team, Chicago office, Project Nova", phrases},
	{"name", "spans of words with capitals", names},
}
