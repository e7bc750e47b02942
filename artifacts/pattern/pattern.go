package pattern

import (
	"math/bits"
	"regexp"
	"regexp/syntax"

	"github.com/ctx-mcp/ctx-mcp"
)

const (
	// MaxSteps is the size up to which an expression is compiled: the steps that a byte of text may cost.
	MaxSteps  = 4000
	maxText   = 10_000 // bytes of an expression
	leastStep = 16     // steps that a byte costs under any expression: finding where a match may begin
)

// A Pattern is a compiled expression of bounded size.
type Pattern struct {
	*regexp.Regexp
	steps int
}

// Compile reads an expression. It returns CodeInvalid, with the cause, for a text that is no expression of RE2, and
// CodeTooLarge for one whose program would be too large.
func Compile(text string) (*Pattern, error) {
	if len(text) > maxText {
		return nil, tooLarge()
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, ctxmcp.Errorf(ctxmcp.CodeInvalid, "the pattern cannot be read: %v", err).WithCause(err).
			WithHint("write it in the syntax of RE2, without look-around and back-references")
	}
	steps := sizeOf(tree)
	if steps > MaxSteps {
		return nil, tooLarge()
	}
	re, err := regexp.Compile(text)
	if err != nil { // not reached: it was parsed
		return nil, err
	}
	return &Pattern{re, max(steps, leastStep)}, nil
}

// Steps returns the most that a byte of text costs: the product with the length of a text bounds the work of one match.
func (p *Pattern) Steps() int { return p.steps }

func tooLarge() error {
	return ctxmcp.Errorf(ctxmcp.CodeTooLarge, "the pattern is too large: its repetitions come to more than %d steps", MaxSteps).
		WithHint("repeat less, such as .* for .{0,1000}, or search for a part of it")
}

// sizeOf returns how many instructions the tree comes to, once its repetitions are written out; more than MaxSteps stands
// for anything larger. A class of many ranges costs its search.
func sizeOf(re *syntax.Regexp) int {
	size := 1
	switch re.Op {
	case syntax.OpLiteral:
		size = len(re.Rune)
	case syntax.OpCharClass:
		size = bits.Len(uint(len(re.Rune)))
	case syntax.OpCapture:
		size = 2
	}
	for _, sub := range re.Sub {
		size = min(size+sizeOf(sub)+1, MaxSteps+1)
	}
	if re.Op == syntax.OpRepeat {
		times := re.Max
		if times < 0 {
			times = re.Min + 1
		}
		size = min(size*max(times, 1), MaxSteps+1)
	}
	return size
}
