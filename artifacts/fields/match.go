package fields

import (
	"regexp/syntax"
	"unicode"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/artifacts/pattern"
)

// matches holds if a text matches an expression of RFC 9485: all of it for match(), some of it for search(). A value
// that is no text, or no expression, does not match.
type matches struct {
	text, expression operand
	whole            bool
}

// An expression is one of RFC 9485 as RE2 runs it; nil in matched: it is none.
type expression struct{ matched *pattern.Pattern }

// mostExpressions bounds how many are kept: a document can give one for every value.
const mostExpressions = 64

func (c matches) holds(e *evaluation, at int32) (bool, error) {
	text, err := c.text.value(e, at)
	if err != nil {
		return false, err
	}
	expr, err := c.expression.value(e, at)
	if err != nil || text.kind != '"' || expr.kind != '"' {
		return false, err
	}
	x, err := e.expression(expr.text, c.whole)
	if err != nil || x.matched == nil {
		return false, err
	}
	// Three units are about the time of the steps of a character; text is matched in one go, so that it counts before.
	if err := e.spend(1 + x.matched.Steps()*len(text.text)/16); err != nil {
		return false, err
	}
	return x.matched.MatchString(text.text), nil
}

// expression compiles an expression, once.
func (e *evaluation) expression(text string, whole bool) (*expression, error) {
	key := text
	if whole {
		key = "^" + text
	}
	if known := e.patterns[key]; known != nil {
		return known, nil
	}
	x := &expression{}
	if err := e.spend(100 + len(text)); err != nil {
		return nil, err
	}
	if source, ok := translated(text, whole); ok {
		var err error
		if x.matched, err = pattern.Compile(source); ctxmcp.CodeOf(err) == ctxmcp.CodeTooLarge {
			return nil, err
		}
	}
	if e.patterns == nil || len(e.patterns) == mostExpressions {
		e.patterns = map[string]*expression{}
	}
	e.patterns[key] = x
	return x, nil
}

// translated writes an expression for RE2: there a dot is all but the ends of lines (RFC 9485, 5.5).
func translated(text string, whole bool) (string, bool) {
	tree, err := syntax.Parse(text, syntax.Perl|syntax.DotNL)
	if err != nil {
		return "", false
	}
	dots(tree)
	if whole {
		return `\A(?:` + tree.String() + `)\z`, true
	}
	return tree.String(), true
}

// dots replaces every dot of the tree.
func dots(re *syntax.Regexp) {
	if re.Op == syntax.OpAnyChar {
		re.Op, re.Rune = syntax.OpCharClass, []rune{0, '\n' - 1, '\n' + 1, '\r' - 1, '\r' + 1, unicode.MaxRune}
		return
	}
	for _, sub := range re.Sub {
		dots(sub)
	}
}
