package check

import (
	"encoding/json"
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
)

// known are the labels of every metric that Prometheus can have of the server, by its name.
func known(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("../../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{"up": nil}
	for _, row := range regexp.MustCompile("(?m)^\\| `(ctx_mcp_[a-z_]+)` \\| ([a-z_, ]*) \\|").FindAllStringSubmatch(string(text), -1) {
		all[row[1]] = strings.FieldsFunc(row[2], func(r rune) bool { return r == ',' || r == ' ' })
		if strings.HasSuffix(row[1], "_seconds") && !strings.Contains(row[1], "timestamp") || strings.HasSuffix(row[1], "_share") { // a histogram
			all[row[1]+"_bucket"] = append(slices.Clone(all[row[1]]), "le")
		}
	}
	origin, _ := serve(t)
	_, metrics := get(t, origin+"/metrics", "")
	for _, row := range regexp.MustCompile(`(?m)^# TYPE ((?:go|process)_\w+)`).FindAllStringSubmatch(metrics, -1) {
		all[row[1]] = nil
	}
	return all
}

// checkQuery parses a query, and looks for every metric and label in it.
func checkQuery(t *testing.T, where, query string, known map[string][]string) {
	t.Helper()
	query = strings.ReplaceAll(query, "$__rate_interval", "5m")
	expr, err := parser.NewParser(parser.Options{}).ParseExpr(query)
	if err != nil {
		t.Errorf("%s: %v", where, err)
		return
	}
	name := ""
	allowed := []string{"instance", "job", labels.MetricName}
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		if s, ok := node.(*parser.VectorSelector); ok {
			name = s.Name
			has, ok := known[s.Name]
			if !ok {
				t.Errorf("%s: the server has no metric %s", where, s.Name)
			}
			allowed = append(allowed, has...)
			for _, m := range s.LabelMatchers {
				if !slices.Contains(append([]string{"instance", "job", labels.MetricName}, has...), m.Name) {
					t.Errorf("%s: %s has no label %s", where, s.Name, m.Name)
				}
			}
		}
		return nil
	})
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		if a, ok := node.(*parser.AggregateExpr); ok {
			for _, label := range a.Grouping {
				if !slices.Contains(allowed, label) {
					t.Errorf("%s: %s is grouped by %s, which it does not have", where, name, label)
				}
			}
		}
		return nil
	})
}

func TestAlerts(t *testing.T) {
	known := known(t)
	groups, errs := rulefmt.Parse([]byte(read(t, "prometheus/alerts.yaml")), false, model.UTF8Validation, parser.NewParser(parser.Options{}), slog.New(slog.DiscardHandler))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	var seen []string
	for _, group := range groups.Groups {
		for _, rule := range group.Rules {
			checkQuery(t, rule.Alert, rule.Expr, known)
			for _, said := range []string{"summary", "reason", "action"} {
				if rule.Annotations[said] == "" {
					t.Errorf("%s has no %s", rule.Alert, said)
				}
			}
			if severity := rule.Labels["severity"]; severity != "page" && severity != "ticket" {
				t.Errorf("%s: severity %q", rule.Alert, severity)
			}
			if seen = append(seen, rule.Alert); !strings.HasPrefix(rule.Alert, "CtxMcp") {
				t.Errorf("%s does not say whose it is", rule.Alert)
			}
		}
	}
	if len(seen) < 5 || len(slices.Compact(slices.Sorted(slices.Values(seen)))) != len(seen) {
		t.Errorf("alerts: %v", seen)
	}
}

func TestDashboard(t *testing.T) {
	known := known(t)
	var board struct {
		Panels []struct {
			ID      int
			Type    string
			Title   string
			GridPos struct{ X, Y, W, H int }
			Targets []struct{ Expr string }
		}
		Templating struct {
			List []struct{ Name, Query string }
		}
	}
	if err := json.Unmarshal([]byte(read(t, "grafana/dashboard.json")), &board); err != nil {
		t.Fatal(err)
	}
	ids, cells := map[int]bool{}, map[[2]int]string{}
	for _, p := range board.Panels {
		if ids[p.ID] {
			t.Errorf("%s has the number of another panel", p.Title)
		}
		ids[p.ID] = true
		if (p.Type == "row") != (len(p.Targets) == 0) {
			t.Errorf("%s asks %d queries", p.Title, len(p.Targets))
		}
		for _, target := range p.Targets {
			checkQuery(t, p.Title, target.Expr, known)
		}
		for x := range p.GridPos.W {
			for y := range p.GridPos.H {
				at := [2]int{p.GridPos.X + x, p.GridPos.Y + y}
				if cells[at] != "" || at[0] >= 24 {
					t.Fatalf("%s lies on %s, or outside", p.Title, cells[at])
				}
				cells[at] = p.Title
			}
		}
	}
	for _, v := range board.Templating.List {
		if name, ok := strings.CutPrefix(v.Query, "label_values("); ok {
			name, _, _ = strings.Cut(name, ",")
			if _, ok := known[name]; !ok {
				t.Errorf("the variable %s asks for %s", v.Name, name)
			}
		}
	}
	if len(ids) < 10 {
		t.Errorf("%d panels", len(ids))
	}
}
