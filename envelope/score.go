package envelope

import "github.com/ctx-mcp/ctx-mcp/language/relations"

// The worth of a line: without a question by how it stands out, with one by how it answers, and then by how it stands out.
const (
	ofOutlier  = 2.2 // of a value that is out of the ordinary
	ofRarity   = 1.6 // of words that no other line has
	ofExtreme  = 0.5 // of the greatest and the least value
	ofEnd      = 6.0 // of the one of the two that the question asks for
	ofMatch    = 8.0 // of the best answer
	wellFound  = 0.5 // the share of a question that its best line answers, from which the others count by it
	ofOddity   = 2.0 // times that standing out counts more, where the question asks for it
	ofTold     = 1.3 // times that a line counts more that tells what kind of thing is asked for
	besides    = 0.4 // of standing out, beside a question that is answered
	ofWhy      = 0.5 // of the best answer, of a line that tells a failure where the question asks why
	ofDetail   = 0.5 // of the first vital lines below a heading
	mostReread = 400 // lines of which the kind of answer is read
)

// firstDetails is the number of vital lines below a heading that count more.
const firstDetails = 2

// score gives each line its worth.
func (t *lined) score() {
	standing, far := t.standing()
	t.scores = standing
	if t.need == nil || t.watch.over(0) {
		for i, f := range far {
			t.scores[i] += f
		}
		return
	}
	answers, best := t.answers()
	beside := 1.0
	if best > 0 {
		beside = 1 - (1-besides)*min(1, best/wellFound)
	}
	oddity := 1.0
	if t.need.odd {
		oddity = ofOddity
	}
	for i := range t.scores {
		t.scores[i] = t.scores[i]*beside + far[i]*max(beside, oddity*min(1, 2*beside))
		t.scores[i] += t.asked[i]
		if best > 0 {
			t.scores[i] += ofMatch * min(1, best/wellFound) * answers[i] / best
			if t.need.answers[relations.Reason] && t.ranks[i] >= vital {
				t.scores[i] += ofWhy * ofMatch * min(1, best/wellFound)
			}
		}
	}
}

// standing returns how much each line stands out by the words of its kind, and by being unlike the others.
func (t *lined) standing() (standing, far []float64) {
	standing, far = make([]float64, len(t.all)), make([]float64, len(t.all))
	for i, r := range t.ranks {
		standing[i] = float64(r)
	}
	if t.details {
		told := map[int]int{}
		for i, r := range t.ranks {
			if above := t.outline.parent[i]; r == vital && above >= 0 && told[above] < firstDetails {
				told[above]++
				standing[i] += ofDetail
			}
		}
	}
	if !t.series {
		return standing, far
	}
	all := &allSeries{}
	for i, text := range t.all {
		if t.watch.over(len(text) + 1) {
			return standing, far
		}
		if i < t.head {
			continue
		}
		switch {
		case t.columns != nil:
			t.addColumns(all, i, t.columns(text))
			continue
		case t.word != nil:
			if label, word := t.word(i); label != "" {
				all.addWord(seriesKey{label: label}, i, word)
				continue
			}
		}
		all.addNumbers(i, text)
	}
	for _, s := range all.order {
		if t.watch.over(len(s.values) * 16) {
			break
		}
		asked := 1.0
		if hits, _ := t.need.hitsOf(s.label); len(hits) > 0 {
			asked = 2
		}
		standsOut := func(line int, by float64) {
			far[line] = max(far[line], asked*ofOutlier*by)
			t.ofColumn(s.column, ofOutlier*by)
		}
		s.outliers(standsOut)
		s.rareWords(func(line int) { standsOut(line, ofRare) })
		t.addEnd(s, asked > 1)
		if t.need != nil && t.need.odd {
			for _, line := range s.extremes() {
				far[line] = max(far[line], asked*ofExtreme)
			}
		}
	}
	for i, r := range rarity(t.watch, t.all, t.folds) {
		far[i] = max(far[i], ofRarity*r)
	}
	for _, i := range t.single() {
		far[i] = max(far[i], ofRarity)
	}
	return standing, far
}

// single returns the lines of a form that no other line has, where folds tell of nearly all the others.
func (t *lined) single() (lines []int) {
	if t.folds == nil || len(t.all) < fewestLines {
		return nil
	}
	for i, f := range t.folds {
		if f != nil && len(f.members) == 1 && i >= ends && i < len(t.all)-ends {
			lines = append(lines, i)
		}
	}
	if float64(len(lines)) > rareShare*float64(len(t.all)) {
		return nil
	}
	return lines
}

// addEnd marks the line with the greatest or the least value of a series, where the question asks for it.
func (t *lined) addEnd(s *series, named bool) {
	if t.need == nil || !t.need.most && !t.need.least {
		return
	}
	ends := s.extremes()
	if len(ends) == 0 {
		return
	}
	worth := ofEnd
	if named {
		worth *= 2
	}
	if t.asked == nil {
		t.asked = map[int]float64{}
	}
	if t.need.most {
		t.asked[ends[0]] = max(t.asked[ends[0]], worth)
	}
	if t.need.least {
		t.asked[ends[1]] = max(t.asked[ends[1]], worth)
	}
}

// answers returns how well each line answers the question, and the best of it.
func (t *lined) answers() (worth []float64, best float64) {
	found := t.matches()
	worth = make([]float64, len(found))
	read := 0
	for i, m := range found {
		near := 0.0
		for d := 1; d <= nearLines; d++ {
			for _, j := range []int{i - d, i + d} {
				if j >= 0 && j < len(found) {
					near = max(near, nearOwn*found[j].own/float64(int(1)<<(d-1)))
				}
			}
		}
		worth[i] = m.own + m.bonus + max(besideOwn*m.context, near)
		if worth[i] > 0 && read < mostReread && len(t.need.answers) > 0 {
			read++
			if t.watch.over(lookBytes) {
				return worth, 0
			}
			if t.need.told(t.all[i]) {
				worth[i] *= ofTold
			}
		}
		best = max(best, worth[i])
	}
	return worth, best
}
