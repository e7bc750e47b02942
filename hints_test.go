package ctxmcp_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// coaching is how a text would tell a caller to claim authority that it was just refused for lack of: to name another channel, or
// to say that the user said, wanted or approved something.
var coaching = regexp.MustCompile(`(?i)user_statement|\bif (the|your) user (has |had )?(said|says|told|agree|approve|confirm|want|allow)|\b(say|claim|write|pretend|state) that the user\b`)

// TestHintsDoNotCoach reads every text that the program can answer a caller with. Two places name the channel and coach nobody: the
// vocabulary, and the command line, whose reader is the operator.
func TestHintsDoNotCoach(t *testing.T) {
	read := 0
	err := filepath.WalkDir(".", func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (path == "eval" || path == "cmd" || strings.HasPrefix(e.Name(), ".") && path != "."):
			return fs.SkipDir
		case e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || path == "vocabulary.go":
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				read++
				if text, err := strconv.Unquote(lit.Value); err == nil && coaching.MatchString(text) {
					t.Errorf("%s tells a caller what to claim: %q", path, text)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || read < 1000 {
		t.Fatalf("read %d texts: %v", read, err)
	}
}
