package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions"
)

// Accumulator holds the settings of sessions of actions, under the names of AARM's context accumulator.
type Accumulator struct {
	MaxHistory, TriggerAt, KeepRecent int
	Summarize                         bool
	DriftThreshold                    float64
	ChainWarning, ChainLimit          int
	Levels                            []string
	Off                               []string // signals
	Retention                         time.Duration
	Allow                             []string // labels that redaction leaves alone
	Classifications                   []string // tool=CLASS
}

func newAccumulator() Accumulator {
	return Accumulator{
		MaxHistory: 100, TriggerAt: 50, KeepRecent: 20, Summarize: true, DriftThreshold: 0.7, ChainWarning: 15, ChainLimit: 30,
		Levels: dataClasses(), Retention: 30 * 24 * time.Hour, Allow: []string{"EMAIL", "IBAN", "PHONE"},
	}
}

func dataClasses() []string {
	var words []string
	for _, c := range ctxmcp.DataClasses() {
		words = append(words, string(c))
	}
	return words
}

// accumulatorSettings are those of the section context_accumulator.
var accumulatorSettings = append([]Setting{
	{Key: "context_accumulator.max_action_history", Doc: "actions of a session that are kept whole",
		value: func(c *Config) Value { return (*intValue)(&c.MaxHistory) }},
	{Key: "context_accumulator.semantic_distance_threshold", Doc: "mean distance from the request, 0 to 1, over which a session drifts",
		value: func(c *Config) Value { return (*shareValue)(&c.DriftThreshold) }},
	{Key: "context_accumulator.chain_length_warning", Doc: "actions after which a session is long",
		value: func(c *Config) Value { return (*intValue)(&c.ChainWarning) }},
	{Key: "context_accumulator.chain_length_limit", Doc: "actions after which a session is over its limit",
		value: func(c *Config) Value { return (*intValue)(&c.ChainLimit) }},
	{Key: "context_accumulator.classification_levels", Doc: "the classes of data, from the least sensitive; these four",
		value: func(c *Config) Value { return (*classesValue)(&c.Levels) }},
	{Key: "context_accumulator.classifications", Doc: "classes of tools, as tool=CLASS: nothing else lowers a class",
		value: func(c *Config) Value { return (*classifiedValue)(&c.Classifications) }},
	{Key: "context_accumulator.summarization.enabled", Doc: "summarize the oldest actions before the history is full",
		value: func(c *Config) Value { return (*boolValue)(&c.Summarize) }},
	{Key: "context_accumulator.summarization.trigger_at", Doc: "actions at which the oldest are summarized",
		value: func(c *Config) Value { return (*intValue)(&c.TriggerAt) }},
	{Key: "context_accumulator.summarization.keep_recent", Doc: "actions that are then left whole",
		value: func(c *Config) Value { return (*intValue)(&c.KeepRecent) }},
	{Key: "context_accumulator.retention", Doc: "time for which a session is kept after its end, or its last action",
		value: func(c *Config) Value { return (*durationValue)(&c.Retention) }},
	{Key: "context_accumulator.redaction_allow", Doc: "labels that are left alone in actions and results, besides redaction.allow",
		value: func(c *Config) Value { return (*labelsValue)(&c.Accumulator.Allow) }},
}, signalSettings()...)

// signalKeys are the names that AARM's configuration has for signals, where they are others.
var signalKeys = map[string]string{"drift_detected": "drift_detection", "velocity_anomaly": "velocity_analysis"}

func signalSettings() []Setting {
	var all []Setting
	for _, s := range actions.Signals() {
		key := s.Name
		if k, other := signalKeys[key]; other {
			key = k
		}
		all = append(all, Setting{Key: "context_accumulator.risk_signals." + key, Doc: "signal: " + s.Doc,
			value: func(c *Config) Value { return &signalValue{&c.Off, s.Name} }})
	}
	return all
}

// signalValue is the setting of one signal: on or off.
type signalValue struct {
	off  *[]string
	name string
}

func (v *signalValue) String() string { return strconv.FormatBool(!slices.Contains(*v.off, v.name)) }
func (v *signalValue) Type() string   { return "bool" }
func (v *signalValue) Set(text string) error {
	var on boolValue
	if err := on.Set(text); err != nil {
		return err
	}
	*v.off = slices.DeleteFunc(*v.off, func(name string) bool { return name == v.name })
	if !on {
		*v.off = append(*v.off, v.name)
	}
	return nil
}

// classesValue is the list of classes, which cannot be another one.
type classesValue []string

func (v *classesValue) String() string { return strings.Join(*v, ",") }
func (v *classesValue) Type() string   { return "list" }
func (v *classesValue) Set(text string) error {
	if err := (*List)(v).Set(text); err != nil {
		return err
	}
	if !slices.Equal(*v, dataClasses()) {
		return fmt.Errorf("the classes are %s", strings.Join(dataClasses(), ", "))
	}
	return nil
}

// classifiedValue lists tools with their classes.
type classifiedValue []string

func (v *classifiedValue) String() string { return strings.Join(*v, ",") }
func (v *classifiedValue) Type() string   { return "list" }
func (v *classifiedValue) Set(text string) error {
	if err := (*List)(v).Set(text); err != nil {
		return err
	}
	for _, pair := range *v {
		tool, class, found := strings.Cut(pair, "=")
		if !found || tool == "" || !ctxmcp.Known(ctxmcp.DataClass(class), ctxmcp.DataClasses()) {
			return fmt.Errorf("%q is not tool=CLASS with one of %s", pair, strings.Join(dataClasses(), ", "))
		}
	}
	return nil
}

func (a Accumulator) check() error {
	switch {
	case a.MaxHistory == 0 || a.ChainLimit == 0 || a.ChainWarning == 0:
		return invalid("context_accumulator: max_action_history and the lengths of a chain are 1 at least")
	case a.ChainWarning > a.ChainLimit:
		return invalid("context_accumulator.chain_length_warning is above chain_length_limit")
	case a.Summarize && (a.TriggerAt == 0 || a.KeepRecent == 0 || a.KeepRecent >= a.TriggerAt || a.TriggerAt > a.MaxHistory):
		return invalid("context_accumulator.summarization: keep_recent is 1 at least and below trigger_at, and that is max_action_history at most")
	}
	return nil
}
