package config

import (
	"fmt"
	"strconv"

	"github.com/ctx-mcp/ctx-mcp/quota"
)

// AutoQuota stands for a limit that follows from the transport: none over stdio, where the caller fills a disk of its own; over HTTP
// that of defaultQuotas.
const AutoQuota = -1

// Quotas holds the settings of how much a tenant may hold.
type Quotas struct {
	memories, artifactBytes, actionSessions, actionBytes, packets, reviews int64
	OverHTTP                                                               bool // the meaning of auto; set before the store is opened
}

func newQuotas() Quotas {
	return Quotas{memories: AutoQuota, artifactBytes: AutoQuota, actionSessions: AutoQuota, actionBytes: AutoQuota, packets: AutoQuota, reviews: AutoQuota}
}

// defaultQuotas are generous: a tenant of a hundred agents that work all day stays below them. All of them together are about 40 GiB.
var defaultQuotas = quota.Limits{
	quota.Memories: 1_000_000, quota.ArtifactBytes: 20 << 30, quota.ActionSessions: 100_000, quota.ActionBytes: 10 << 30,
	quota.Packets: 100_000, quota.Reviews: 10_000,
}

// Of returns the place of one limit.
func (q *Quotas) Of(name quota.Name) *int64 {
	return map[quota.Name]*int64{
		quota.Memories: &q.memories, quota.ArtifactBytes: &q.artifactBytes, quota.ActionSessions: &q.actionSessions,
		quota.ActionBytes: &q.actionBytes, quota.Packets: &q.packets, quota.Reviews: &q.reviews,
	}[name]
}

// Limits returns the limits that are in force, over HTTP or otherwise.
func (q *Quotas) Limits(overHTTP bool) quota.Limits {
	l := quota.Limits{}
	for _, name := range quota.Names() {
		l[name] = *q.Of(name)
		if l[name] == AutoQuota {
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
			value: func(c *Config) Value { return (*quotaValue)(c.Quotas.Of(name)) }})
	}
	return all
}()

// quotaValue is a limit: a number, 0 for none, or auto.
type quotaValue int64

func (v *quotaValue) Type() string { return "number" }
func (v *quotaValue) String() string {
	if *v == AutoQuota {
		return "auto"
	}
	return strconv.FormatInt(int64(*v), 10)
}
func (v *quotaValue) Set(text string) error {
	if text == "auto" {
		*v = AutoQuota
		return nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return fmt.Errorf("%q is neither auto nor a whole number from 0", text)
	}
	*v = quotaValue(n)
	return nil
}
