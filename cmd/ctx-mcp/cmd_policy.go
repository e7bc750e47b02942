package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/actions/policy"
	"github.com/ctx-mcp/ctx-mcp/config"
)

func policyCommand(sys *system, c *config.Config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "policy",
		Short: "Show, check and try the rules that decide on actions",
		Long: `Show, check and try the rules that decide on actions. Rules are written in Cedar; policy.file names a file with them, or
else policy.preset one of those that come with ctx-mcp:

` + presetHelp(),
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(policyShowCommand(sys, c), policyCheckCommand(sys, c), policyTestCommand(sys))
	return cmd
}

// presetHelp describes the presets for a help text, one a line.
func presetHelp() string {
	text := ""
	for _, p := range policy.Presets() {
		text += fmt.Sprintf("  %-10s %s\n", p.Name, p.Doc)
	}
	return text
}

func policyShowCommand(sys *system, c *config.Config) *cobra.Command {
	var schema bool
	cmd := &cobra.Command{
		Use:   "show [PRESET]",
		Short: "Print the rules in force, a preset, or the schema of rules",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if schema {
				_, err := fmt.Fprint(sys.out, policy.Schema)
				return err
			}
			if len(args) > 0 {
				if err := config.Word(args[0], config.PresetNames()); err != nil {
					return mistakenFile(err)
				}
				_, err := fmt.Fprint(sys.out, config.Preset(args[0]).Text)
				return err
			}
			set, err := c.Policy()
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(sys.out, set.Text())
			return err
		},
	}
	cmd.Flags().BoolVar(&schema, "schema", false, "print the schema that rules are checked against")
	return prints(aDocument, cmd)
}

func policyCheckCommand(sys *system, c *config.Config) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Check a file of rules (- for standard input), or those in force, and print their digest",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			set, err := c.Policy()
			if len(args) > 0 {
				var text []byte
				if text, err = readInput(sys, args[0]); err != nil {
					return err
				}
				set, err = config.ParsePolicy(args[0], text, ctxmcp.Verdict(c.PolicyDefault))
			}
			if err != nil {
				return err
			}
			report := rulesReport{set.Len(), string(set.Default()), set.Digest()}
			return answer(sys, asJSON, report, "%d rules, default %s, %s", report.Rules, report.Default, report.Digest)
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func policyTestCommand(sys *system) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "test FILE...",
		Short: "Try a policy with its cases",
		Long: `Try a policy with the cases that are kept beside it, in YAML:

  policy: my.cedar            # beside this file, or the name of a preset
  default: deny               # optional
  cases:
    - name: a refund that the user asked for
      given: {tool: shop, operation: refund, kind: outbound, parameters: {amount: 20}}
      want: allow
      rule: small-refund      # optional

given also takes classification, roles, request, state, signals (those that are raised) and unknown (those that could not be
computed). The exit code is 1 if a case fails.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("usage: ctx-mcp policy test FILE..., - for standard input")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			all, failed := []caseReport{}, 0
			for _, path := range args {
				tried, err := tryCases(sys, path)
				if err != nil {
					return err
				}
				all = append(all, tried...)
			}
			for _, r := range all {
				if !r.Passed {
					failed++
				}
				if !asJSON {
					printCase(sys, r)
				}
			}
			total := len(all)
			if !asJSON {
				fmt.Fprintf(sys.out, "%d cases, %d failed\n", total, failed)
			} else if err := writeJSON(sys.out, all); err != nil {
				return err
			}
			if failed > 0 {
				return ctxmcp.Errorf(ctxmcp.CodeUnavailable, "%d of %d cases failed", failed, total)
			}
			return nil
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

// tryCases runs the cases of one file. Those of the standard input are for a policy that is named from the folder at hand.
func tryCases(sys *system, path string) (all []caseReport, err error) {
	text, err := readInput(sys, path)
	if err != nil {
		return nil, err
	}
	cases, err := policy.ParseCases(path, text)
	if err != nil {
		return nil, err
	}
	set, err := policyOf(cases, path)
	if err != nil {
		return nil, err
	}
	for _, one := range cases.Cases {
		got, wrong := one.Try(set)
		all = append(all, caseReport{path, one.Name, wrong == "", string(got.Verdict), got.Rule, got.Why, wrong})
	}
	return all, nil
}

func printCase(sys *system, r caseReport) {
	if r.Passed {
		fmt.Fprintf(sys.out, "ok    %s: %s by %s\n", r.Name, r.Verdict, r.Rule)
		return
	}
	fmt.Fprintf(sys.out, "FAIL  %s: %s\n      %s\n", r.Name, r.Wrong, r.Why)
}

// policyOf loads the policy that cases in a file are for.
func policyOf(cases policy.Cases, path string) (*policy.Set, error) {
	if slices.Contains(config.PresetNames(), cases.Policy) {
		return config.Preset(cases.Policy).Load(cases.Default)
	}
	return config.LoadPolicy(filepath.Join(filepath.Dir(path), cases.Policy), cases.Default)
}
