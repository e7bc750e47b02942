package pattern

import (
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/ctx-mcp/ctx-mcp"
)

func TestCompile(t *testing.T) {
	for _, tt := range []struct {
		text string
		code ctxmcp.Code
		says string
	}{
		{`error|warn(ing)?: \d{3}`, "", ""},
		{`(?i)^\s*func\s+(\w+)`, "", ""},
		{``, "", ""},
		{`(a{0,500}){0,2}b`, "", ""},
		{`[\p{L}\p{N}]{1,300}z`, "", ""},
		{`[\p{L}\p{N}]{1,1000}z`, ctxmcp.CodeTooLarge, "steps"},
		{`(a{0,1000}){0,1000}`, ctxmcp.CodeInvalid, "invalid repeat count"},
		{strings.Repeat(`(a|b){0,1000}`, 9), ctxmcp.CodeTooLarge, "steps"},
		{strings.Repeat("a", maxText+1), ctxmcp.CodeTooLarge, "steps"},
		{`(unclosed`, ctxmcp.CodeInvalid, "missing closing )"},
		{`(?=ahead)`, ctxmcp.CodeInvalid, "(?="},
		{`(a)\1`, ctxmcp.CodeInvalid, `\1`},
		{strings.Repeat("(", 5000) + strings.Repeat(")", 5000), ctxmcp.CodeInvalid, "nests too deeply"},
	} {
		p, err := Compile(tt.text)
		if tt.code == "" {
			if err != nil || p.Steps() < leastStep || p.Steps() > MaxSteps {
				t.Errorf("Compile(%q) = %v, %v, want a pattern of bounded steps", tt.text, p, err)
			}
			continue
		}
		if ctxmcp.CodeOf(err) != tt.code || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("Compile(%.40q) = %v, want %s that says %q", tt.text, err, tt.code, tt.says)
		}
	}
}

// FuzzSize: the size told from the tree is no less than that of the program which is built of it, but for the
// instructions that begin and end every program.
func FuzzSize(f *testing.F) {
	for _, text := range []string{`a`, `(a{0,500}){0,2}b`, `[\p{L}\p{N}]{1,50}z`, `(?i)straße|x+?`, `^$\b`, `(a|b|c|d)*`, `a{3,}`, ``} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tree, err := syntax.Parse(text, syntax.Perl)
		if err != nil {
			return
		}
		size := sizeOf(tree)
		if size > MaxSteps {
			return
		}
		prog, err := syntax.Compile(tree.Simplify())
		if err != nil {
			t.Fatalf("Compile(%q): %v", text, err)
		}
		if len(prog.Inst) > 2*size+3 {
			t.Errorf("%q comes to %d instructions, and was told as %d", text, len(prog.Inst), size)
		}
	})
}
