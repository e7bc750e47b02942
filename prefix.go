package ctxmcp

// Prefix is the static beginning of the prompts of a session, as rules in order: the part that a provider's cache holds.
// It has ids and no content.
type Prefix struct {
	Pins []PrefixPin `json:"pins"`
}

// PrefixPin is a version of a rule in a prefix.
type PrefixPin struct {
	ObjectID string `json:"object_id"`
	Version  int    `json:"version"`
}

// PrefixKey names the prefix of a session. Digest is of the other parts that begin its prompts, such as the system prompt.
type PrefixKey struct{ Tenant, Namespace, Digest string }
