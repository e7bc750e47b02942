package effect

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// This file takes the words and the commands out of parsed shell.

// words returns the words of a command without their quotes. A substitution stands as it is written.
func words(list []*syntax.Word) []string {
	var all []string
	for _, w := range list {
		all = append(all, literal(w.Parts))
	}
	return all
}

func literal(parts []syntax.WordPart) string {
	var b strings.Builder
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(strings.ReplaceAll(p.Value, `\`, ""))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			b.WriteString(literal(p.Parts))
		case *syntax.ParamExp:
			if p.Param != nil {
				b.WriteString("$" + p.Param.Value)
			}
		case *syntax.CmdSubst:
			b.WriteString("$(" + strings.Join(inner(p), " ") + ")")
		case *syntax.ProcSubst:
			b.WriteString("<()")
		}
	}
	return b.String()
}

// inner returns the words of the commands of a substitution, with a semicolon between two.
func inner(c *syntax.CmdSubst) []string {
	var all []string
	for _, stmt := range c.Stmts {
		syntax.Walk(stmt, func(n syntax.Node) bool {
			if call, is := n.(*syntax.CallExpr); is {
				if len(all) > 0 {
					all = append(all, ";")
				}
				all = append(all, words(call.Args)...)
			}
			return true
		})
	}
	return all
}

// calls returns the commands in a node, with wrapped ones opened.
func calls(node syntax.Node) [][]string {
	var all [][]string
	syntax.Walk(node, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			if len(n.Args) > 0 {
				all = append(all, unwrapped(words(n.Args)))
			}
		case *syntax.DeclClause:
			all = append(all, declared(n))
		}
		return true
	})
	return all
}

// declared returns the words of a declaration, which Bash reads as no command: "export -p".
func declared(n *syntax.DeclClause) []string {
	argv := []string{n.Variant.Value}
	for _, a := range n.Args {
		switch {
		case a.Name != nil:
			argv = append(argv, a.Name.Value)
		case a.Value != nil:
			argv = append(argv, literal(a.Value.Parts))
		}
	}
	return argv
}
