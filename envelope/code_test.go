package envelope

import (
	"strings"
	"testing"
)

// TestCodeIsNotFalsified: source code with type parameters is shown as it is, without a warning.
func TestCodeIsNotFalsified(t *testing.T) {
	code := "impl From<User> for Row {\n    fn all(&self) -> Result<User, Error> { self.rows.collect::<Vec<User>>() }\n}\nconst [user] = useState<User | null>(null);\nMap<String, List<System>> all;\n"
	s, _ := service()
	out := wrap(t, s, Result{Value: quoted(code)})
	if !strings.Contains(out.Content, code) || len(out.Warnings) > 0 {
		t.Errorf("warnings %v of\n%s", out.Warnings, out.Content)
	}
}
