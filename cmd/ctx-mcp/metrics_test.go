package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
)

// described reads a Desc, which tells its parts in its text alone.
var described = regexp.MustCompile(`fqName: "(ctx_mcp_[a-z_]+)", help: "([^"]*)".*constLabels: \{([^}]*)\}, variableLabels: \{([^}]*)\}`)

// metricTable returns the table of all figures that are ours, by name, with their labels.
func metricTable() string {
	m := newMetrics()
	m.registry.MustRegister(newQuotaMetrics(nil, nil), certificateMetric(nil))
	all := make(chan *prometheus.Desc)
	go func() { m.registry.Describe(all); close(all) }()
	var rows []string
	for desc := range all {
		if d := described.FindStringSubmatch(desc.String()); d != nil {
			labels, _, _ := strings.Cut(d[3], "=")
			labels = strings.Trim(labels+","+d[4], ",")
			rows = append(rows, fmt.Sprintf("| `%s` | %s | %s |\n", d[1], strings.ReplaceAll(labels, ",", ", "), d[2]))
		}
	}
	slices.Sort(rows)
	return "| Name | Labels | Says |\n| --- | --- | --- |\n" + strings.Join(rows, "")
}
