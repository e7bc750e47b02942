package conversation

// Join returns a conversation in which the items of a turn of the assistant are one message, as the formats without items have it. The
// thinking of the assistant is left out of them: no other format takes it.
func Join(all []Message) []Message {
	joined := all[:0:0]
	for i := 0; i < len(all); {
		end := callersEnd(all, i)
		m := all[i].Clone()
		if m.item && m.Role == Assistant {
			m.Parts = nil
			for j := i; j < end; j++ {
				m.Parts = append(m.Parts, all[j].Parts...)
			}
			m.Drop(func(p *Part) bool { return p.Kind == Thinking })
			m.Edit()
		}
		if len(m.Parts) > 0 {
			joined = append(joined, m)
		}
		i = end
	}
	return joined
}
