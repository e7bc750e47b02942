package fit

import (
	"fmt"
	"io"
)

// Report prints, for each group, how the weights in use do beside those of a fit that did not see the group, and then the weights of
// a fit to everything, which it returns.
func Report(out io.Writer, names []string, cases []Case, inUse Model) Model {
	groups := Groups(cases)
	used, held := Judge(cases, same(cases, inUse)), Judge(cases, HeldOut(cases, inUse))
	fmt.Fprintf(out, "%-22s %9s %9s | %26s | %26s\n", "", "", "", "weights in use", "fitted, the group left out")
	fmt.Fprintf(out, "%-22s %9s %9s | %8s %8s %8s | %8s %8s %8s\n", "group", "positive", "negative", "recall", "alarms", "area", "recall", "alarms", "area")
	for _, group := range groups {
		u, h := used[group], held[group]
		fmt.Fprintf(out, "%-22s %9d %9d | %8.4f %8.4f %8.4f | %8.4f %8.4f %8.4f\n", group, u.Positives, u.Negatives,
			u.Recall, u.Alarms, u.Area, h.Recall, h.Alarms, h.Area)
	}
	fitted := Fit(cases, inUse)
	fmt.Fprintf(out, "\n%-22s %8s %8s\n", "feature", "in use", "fitted")
	for k, name := range names {
		fmt.Fprintf(out, "%-22s %8.2f %8.2f\n", name, inUse.Weights[k], fitted.Weights[k])
	}
	return fitted
}

// Worth is the worth of a feature: the loss of Area without it, on average over the groups that have one. InUse is the loss of the
// weights in use when the feature has weight 0; Fitted that of fits which lack it, each judged by the group that it did not see, so
// that other features may stand in for it.
type Worth struct {
	Name          string
	InUse, Fitted float64
}

// Ablate returns what each feature is worth.
func Ablate(names []string, cases []Case, inUse Model) []Worth {
	used, held := meanArea(Judge(cases, same(cases, inUse))), meanArea(Judge(cases, HeldOut(cases, inUse)))
	all := make([]Worth, len(names))
	for k, name := range names {
		all[k] = Worth{
			Name:   name,
			InUse:  used - meanArea(Judge(cases, same(cases, inUse.Without(k)))),
			Fitted: held - meanArea(Judge(cases, heldOutWithout(cases, inUse, k))),
		}
	}
	return all
}

func meanArea(of map[string]Quality) float64 {
	sum, n := 0.0, 0.0
	for _, q := range of {
		if q.Positives > 0 && q.Negatives > 0 {
			sum, n = sum+q.Area, n+1
		}
	}
	return sum / max(1, n)
}

// ReportAblation prints what each feature is worth.
func ReportAblation(out io.Writer, names []string, cases []Case, inUse Model) {
	fmt.Fprintln(out, "loss of the area under the ROC curve without the feature, mean over the groups; in use: its weight set to 0;")
	fmt.Fprintf(out, "fitted: fits without it, each judged by the group that it did not see\n%-22s %10s %10s\n", "feature", "in use", "fitted")
	for _, w := range Ablate(names, cases, inUse) {
		fmt.Fprintf(out, "%-22s %+10.4f %+10.4f\n", w.Name, w.InUse, w.Fitted)
	}
}
