package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/quota"
)

// autoQuota stands for a limit that follows from the transport: none over stdio, where the caller fills a disk of its own; over HTTP
// that of defaultQuotas.
const autoQuota = -1

// quotas is what the configuration says of how much a tenant may hold.
type quotas struct {
	memories, artifactBytes, actionSessions, actionBytes, packets, reviews int64
	overHTTP                                                               bool // what auto stands for; set before the store is opened
}

func newQuotas() quotas {
	return quotas{memories: autoQuota, artifactBytes: autoQuota, actionSessions: autoQuota, actionBytes: autoQuota, packets: autoQuota, reviews: autoQuota}
}

// defaultQuotas are generous: a tenant of a hundred agents that work all day stays below them. All of them together are about 40 GiB.
var defaultQuotas = quota.Limits{
	quota.Memories: 1_000_000, quota.ArtifactBytes: 20 << 30, quota.ActionSessions: 100_000, quota.ActionBytes: 10 << 30,
	quota.Packets: 100_000, quota.Reviews: 10_000,
}

// of returns the place of one limit.
func (q *quotas) of(name quota.Name) *int64 {
	return map[quota.Name]*int64{
		quota.Memories: &q.memories, quota.ArtifactBytes: &q.artifactBytes, quota.ActionSessions: &q.actionSessions,
		quota.ActionBytes: &q.actionBytes, quota.Packets: &q.packets, quota.Reviews: &q.reviews,
	}[name]
}

// limits returns the limits that are in force, over HTTP or otherwise.
func (q *quotas) limits(overHTTP bool) quota.Limits {
	l := quota.Limits{}
	for _, name := range quota.Names() {
		l[name] = *q.of(name)
		if l[name] == autoQuota {
			l[name] = 0
			if overHTTP {
				l[name] = defaultQuotas[name]
			}
		}
	}
	return l
}

// quotaSettings are those of the section quotas.
var quotaSettings = func() []Setting {
	docs := map[quota.Name]string{
		quota.Memories:       "versions of memories that a tenant may hold, history too",
		quota.ArtifactBytes:  "bytes of artifacts that a tenant may hold, 1024 more for each",
		quota.ActionSessions: "sessions of actions that a tenant may hold, until their time is over",
		quota.ActionBytes:    "bytes of the records of a tenant's sessions of actions",
		quota.Packets:        "packets that a tenant may hold",
		quota.Reviews:        "questions of a tenant that wait for a person",
	}
	var all []Setting
	for _, name := range quota.Names() {
		all = append(all, Setting{Key: "quotas." + string(name),
			Doc:   fmt.Sprintf("%s; 0: any number; auto: any number, over HTTP %d", docs[name], defaultQuotas[name]),
			value: func(c *Config) Value { return (*quotaValue)(c.quotas.of(name)) }})
	}
	return all
}()

// quotaValue is a limit: a number, 0 for none, or auto.
type quotaValue int64

func (v *quotaValue) Type() string { return "number" }
func (v *quotaValue) String() string {
	if *v == autoQuota {
		return "auto"
	}
	return strconv.FormatInt(int64(*v), 10)
}
func (v *quotaValue) Set(text string) error {
	if text == "auto" {
		*v = autoQuota
		return nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return fmt.Errorf("%q is neither auto nor a whole number from 0", text)
	}
	*v = quotaValue(n)
	return nil
}

// shownTenants bounds how many tenants the doctor and /metrics name for each quota: the fullest.
const shownTenants = 50

// fullest returns what tenants hold of one quota, the fullest first, at most shownTenants; and how much the others hold together.
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

// fullness words what a tenant holds of one quota, and reports whether it is at a limit that the configuration names.
func (p *patient) fullness(u quota.Use) (line string, full bool) {
	named := *p.config.quotas.of(u.Name)
	limit := p.config.quotas.limits(true)[u.Name]
	if limit == 0 {
		return fmt.Sprintf("%s: %d of tenant %s, without a limit", u.Name, u.Used, u.Tenant), false
	}
	where := ""
	if named == autoQuota {
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

// Collect implements prometheus.Collector. A store that cannot be asked leaves out what is used.
func (m *quotaMetrics) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	held, _ := m.ledger.Usage(ctx) // readyz is what tells of a store that is down
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
