package ranking

// session is a session of candidates. A memory outside a session is one by itself.
type session struct {
	key    string  // SessionKey, or the object's id
	score  float64 // BM25 of the whole, divided by the best
	peak   float64 // best own of a candidate
	gist   float64 // best share of a candidate in Evidence.meant
	spoken bool    // a candidate holds a term of the question
}

// readSessions tells the sessions of the candidates apart.
func (e *Evidence) readSessions() {
	number := make(map[string]int, len(e.session))
	for i, c := range e.found.Candidates {
		key := SessionKey(c.Object)
		if key == "" {
			key = c.Object.ObjectID
		} else {
			if e.at == nil {
				e.at = make(map[Place]int, len(e.session))
			}
			e.at[Place{key, c.Position}] = i
		}
		n, known := number[key]
		if !known {
			n = len(e.of)
			number[key], e.of = n, append(e.of, session{key: key})
		}
		e.session[i] = n
	}
}

// rankSessions ranks whole sessions by BM25 over the terms of their candidates.
func (e *Evidence) rankSessions() {
	terms := len(e.q.Terms)
	held := make([]float64, len(e.of)*terms) // how often the candidates of each session hold each term
	count := func(n int) []float64 { return held[n*terms : (n+1)*terms] }
	spoken := 0
	for i, n := range e.session {
		if e.own[i] == 0 {
			continue
		}
		if !e.of[n].spoken {
			e.of[n].spoken = true
			spoken++
		}
		for k, times := range e.counts(i) {
			count(n)[k] += times
		}
	}
	frequency := make(map[string]int, terms)
	for n := range e.of {
		for k, times := range count(n) {
			if times > 0 {
				frequency[e.q.Terms[k]]++
			}
		}
	}
	rank := NewBM25(e.q.Terms, Found{Documents: max(len(e.found.Sessions), spoken), Length: e.found.Length, Frequency: frequency})
	best := 0.0
	for n := range e.of {
		of, all := &e.of[n], 0.0
		for _, times := range count(n) {
			all += times
		}
		if of.spoken {
			of.score = rank.scoreOf(count(n), max(int(all), e.found.Sessions[of.key]))
			best = max(best, of.score)
		}
	}
	for n := range e.of {
		if e.of[n].spoken {
			e.of[n].score /= best
		}
	}
}
