package compiler

// ofReplaced lets in what took the place of a statement that the turn names in its words: "charts" asks for what replaced the program in which charts
// were made. Older forms of inputs know no such words.
func (s *state) ofReplaced(asked *question) {
	if s.in.Schema == firstInputsSchema {
		return
	}
	byID := map[string]*item{}
	for _, it := range s.items {
		if it.Kind == KindMemory {
			byID[it.id()] = it
		}
	}
	for _, older := range s.items {
		if older.Kind != KindMemory || !replaced(older) || !asked.named(older.Object.Content) {
			continue
		}
		newer := older
		for range len(byID) { // to the end of a chain
			next := byID[newer.drop.by]
			if next == nil || next == newer {
				break
			}
			if newer = next; !replaced(newer) {
				break
			}
		}
		if newer.drop == nil && newer.tier == Minimal || newer.drop != nil && newer.drop.reason == IrrelevantTask && newer.drop.detail == "" {
			newer.drop, newer.tier = nil, Useful
			newer.share = max(newer.share, s.in.Policy.Useful)
		}
	}
}

// replaced reports whether something took the place of an item.
func replaced(it *item) bool {
	return it.drop != nil && it.drop.by != "" && (it.drop.reason == Superseded || it.drop.reason == Expired)
}
