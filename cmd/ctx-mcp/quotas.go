package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/config"
	"github.com/ctx-mcp/ctx-mcp/quota"
)

// shownTenants bounds how many tenants the doctor and /metrics name for each quota: the fullest.
const shownTenants = 50

// fullest returns the uses of one quota, of the fullest tenant first, at most shownTenants; and how much the others hold together.
func fullest(held []quota.Use, name quota.Name) (shown []quota.Use, others int64) {
	for _, u := range held {
		if u.Name == name {
			shown = append(shown, u)
		}
	}
	slices.SortStableFunc(shown, func(a, b quota.Use) int { return cmp.Compare(b.Used, a.Used) })
	for _, u := range shown[min(len(shown), shownTenants):] {
		others += u.Used
	}
	return shown[:min(len(shown), shownTenants)], others
}

// checkQuotas says how full the quotas are, by tenant. It fails where one that the configuration names is full.
func checkQuotas(ctx context.Context, p *patient) (string, error) {
	if p.store == nil {
		return "", errSkipped
	}
	held, err := p.store.Usage(ctx)
	if err != nil {
		return "", err
	}
	lines, full := []string{"how much each tenant holds"}, ""
	for _, name := range quota.Names() {
		shown, others := fullest(held, name)
		for _, u := range shown {
			line, over := p.fullness(u)
			lines = append(lines, line)
			if over && full == "" {
				full = fmt.Sprintf("the tenant %s is at its limit of quotas.%s", u.Tenant, name)
			}
		}
		if others > 0 {
			lines = append(lines, fmt.Sprintf("%s: %d of the other tenants", name, others))
		}
	}
	report := strings.Join(lines, "\n        ")
	if full != "" {
		return "", ctxmcp.Errorf(ctxmcp.CodeTooLarge, "%s\n      %s", full, report).WithHint("free room, or raise the setting")
	}
	return report, nil
}

// fullness words the use of one quota by a tenant, and reports whether it is at a limit that the configuration names.
func (p *patient) fullness(u quota.Use) (line string, full bool) {
	named := *p.config.Quotas.Of(u.Name)
	limit := p.config.Quotas.Limits(true)[u.Name]
	if limit == 0 {
		return fmt.Sprintf("%s: %d of tenant %s, without a limit", u.Name, u.Used, u.Tenant), false
	}
	where := ""
	if named == config.AutoQuota {
		where = " over HTTP"
	}
	return fmt.Sprintf("%s: %d of %d%s of tenant %s (%.0f %%)", u.Name, u.Used, limit, where, u.Tenant, 100*float64(u.Used)/float64(limit)),
		named > 0 && u.Used >= named
}

// quotaMetrics shows how full the quotas are. Tenants are labels, for they are as few as the operator makes tokens for, and at most
// shownTenants of a quota, the fullest; the others are summed up under an empty label, which is no tenant's name.
type quotaMetrics struct {
	ledger quota.Ledger
	limits quota.Limits
	used   *prometheus.Desc
	limit  *prometheus.Desc
}

func newQuotaMetrics(ledger quota.Ledger, limits quota.Limits) *quotaMetrics {
	return &quotaMetrics{
		ledger: ledger, limits: limits,
		used: prometheus.NewDesc("ctx_mcp_quota_used",
			"How much a tenant holds of a quota; the tenants beyond the fullest are summed up under an empty label.", []string{"quota", "tenant"}, nil),
		limit: prometheus.NewDesc("ctx_mcp_quota_limit", "How much a tenant may hold of a quota; a quota without a limit is left out.", []string{"quota"}, nil),
	}
}

// Describe implements prometheus.Collector.
func (m *quotaMetrics) Describe(to chan<- *prometheus.Desc) { to <- m.used; to <- m.limit }

// Collect implements prometheus.Collector. Without an answer of the store it leaves out the uses.
func (m *quotaMetrics) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	held, _ := m.ledger.Usage(ctx) // readyz tells of a store that is down
	for _, name := range quota.Names() {
		if limit := m.limits[name]; limit > 0 {
			to <- prometheus.MustNewConstMetric(m.limit, prometheus.GaugeValue, float64(limit), string(name))
		}
		shown, others := fullest(held, name)
		for _, u := range shown {
			to <- prometheus.MustNewConstMetric(m.used, prometheus.GaugeValue, float64(u.Used), string(name), u.Tenant)
		}
		if others > 0 {
			to <- prometheus.MustNewConstMetric(m.used, prometheus.GaugeValue, float64(others), string(name), "")
		}
	}
}
