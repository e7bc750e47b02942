package fit

import (
	"maps"
	"slices"
	"sync"
)

// Groups returns the distinct groups of the cases, in order.
func Groups(cases []Case) []string {
	seen := map[string]bool{}
	for _, c := range cases {
		seen[c.Group] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// HeldOut returns for every group the model that was fitted to the cases of all other groups.
func HeldOut(cases []Case, inUse Model) map[string]Model { return heldOutWithout(cases, inUse, none) }

func heldOutWithout(cases []Case, inUse Model, without int) map[string]Model {
	groups := Groups(cases)
	models := make([]Model, len(groups))
	var fits sync.WaitGroup
	for i, group := range groups {
		fits.Go(func() {
			seen := slices.DeleteFunc(slices.Clone(cases), func(c Case) bool { return c.Group == group })
			models[i] = fitWithout(seen, inUse, without)
		})
	}
	fits.Wait()
	of := map[string]Model{}
	for i, group := range groups {
		of[group] = models[i]
	}
	return of
}

// same returns one model for every group.
func same(cases []Case, m Model) map[string]Model {
	of := map[string]Model{}
	for _, group := range Groups(cases) {
		of[group] = m
	}
	return of
}

// Quality is how well scores tell the cases of a group apart.
type Quality struct {
	Positives, Negatives int
	Recall               float64 // share of the positive cases that reach the threshold
	Alarms               float64 // share of the negative cases that do
	// Area is the chance that a positive case scores above a negative one, ties counting half (the area under the ROC curve). It is
	// 0 where there are none of either.
	Area float64
}

// Judge scores the cases of each group by the model of the group.
func Judge(cases []Case, of map[string]Model) map[string]Quality {
	byGroup := map[string][]Case{}
	for _, c := range cases {
		byGroup[c.Group] = append(byGroup[c.Group], c)
	}
	all := map[string]Quality{}
	for group, list := range byGroup {
		all[group] = judge(list, of[group])
	}
	return all
}

func judge(cases []Case, m Model) (q Quality) {
	var positive, negative []float64
	for _, c := range cases {
		score, _ := m.Score(c)
		reaches := 0.0
		if score >= m.Threshold {
			reaches = 1
		}
		if c.Label {
			positive, q.Recall = append(positive, score), q.Recall+reaches
		} else {
			negative, q.Alarms = append(negative, score), q.Alarms+reaches
		}
	}
	q.Positives, q.Negatives = len(positive), len(negative)
	q.Recall /= max(1, float64(q.Positives))
	q.Alarms /= max(1, float64(q.Negatives))
	q.Area = area(positive, negative)
	return q
}

// area returns the share of the pairs of a positive and a negative score in which the positive one is higher.
func area(positive, negative []float64) float64 {
	if len(positive) == 0 || len(negative) == 0 {
		return 0
	}
	slices.Sort(negative)
	sum := 0.0
	for _, s := range positive {
		below, _ := slices.BinarySearch(negative, s)
		upTo := below
		for upTo < len(negative) && negative[upTo] == s {
			upTo++
		}
		sum += float64(below) + float64(upTo-below)/2
	}
	return sum / float64(len(positive)) / float64(len(negative))
}
