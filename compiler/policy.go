package compiler

// Policy is the numbers of a compile. They are part of its inputs, so that a stored compile replays after they were changed.
type Policy struct {
	Version string `json:"version"`
	// MinRelevance is the relevance below which a memory does not bear on the task at all.
	MinRelevance float64 `json:"min_relevance"`
	// Important, Useful and Minimal are shares of the best relevance from which a memory stands in the tier.
	Important float64 `json:"important"`
	Useful    float64 `json:"useful"`
	Minimal   float64 `json:"minimal"`
	// Beside is the share of the best relevance from which a statement comes for its relevance alone. A turn of a conversation that is remembered
	// is evidence, and comes from Minimal on. Policies of before have none.
	Beside float64 `json:"beside,omitempty"`
	// MaxRung is the highest rung of the ladder that is climbed.
	MaxRung int `json:"max_rung"`
	// Near is the share of terms in common (Jaccard) from which two texts say the same.
	Near   float64 `json:"near_duplicate"`
	Rescue Rescue  `json:"rescue"`
	// MessageTokens is the number of tokens that a provider adds to every message.
	MessageTokens int `json:"message_tokens"`
}

// Rescue bounds the passages of documents that are not selected, and weighs their affinity to what is:
// Aff(u, s | q) = ω · [q_rel(u, q), f_skill(u, s, H), r_sel(s, q), g_same(u, s), g_active(u, s, K)] (SkillRAE).
type Rescue struct {
	DocumentTokens int     `json:"document_tokens"` // above which a text is a document, which is attached in passages
	PassageTokens  int     `json:"passage_tokens"`  // of one passage, at most
	MaxTokens      int     `json:"max_tokens"`      // of all passages
	MinAffinity    float64 `json:"min_affinity"`
	Query          float64 `json:"query_weight"`
	Facet          float64 `json:"facet_weight"`
	Source         float64 `json:"source_weight"`
	Same           float64 `json:"same_source_weight"`
	Active         float64 `json:"active_weight"`
}

// DefaultPolicy returns the policy of a server without a configured one.
func DefaultPolicy() Policy {
	return Policy{
		Version: "default/2", MinRelevance: 0.02, Important: 0.7, Useful: 0.5, Minimal: 0.3, Beside: 0.5, MaxRung: 5, Near: 0.85,
		MessageTokens: 4,
		Rescue: Rescue{DocumentTokens: 300, PassageTokens: 150, MaxTokens: 600, MinAffinity: 0.35,
			Query: 0.45, Facet: 0.15, Source: 0.15, Same: 0.15, Active: 0.10},
	}
}
