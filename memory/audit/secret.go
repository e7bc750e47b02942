package audit

import (
	"fmt"
	"strings"
)

// secrets looks at past versions too: a secret that rests anywhere rests in the clear.
var secrets = Check{
	Kind: Secret,
	Doc:  "a secret in the clear, or personal data that is to be hidden: take it out, and change a secret where it is valid",
	past: true,
	begin: each(func(_ Options, r *record) (string, float64) {
		var parts []string
		total := 0
		for _, s := range r.secrets {
			part := s.label + " in " + s.field
			if s.count > 1 {
				part = fmt.Sprintf("%d × %s", s.count, part)
			}
			parts = append(parts, part)
			total += s.count
		}
		if total == 0 {
			return "", 0
		}
		return "holds " + strings.Join(parts, ", "), float64(total)
	}),
	samples: []sample{
		{[]Record{{ID: "a", Content: "password: hunter2-Zx81q"}}, []string{"holds PASSWORD in content: a"}},
		{[]Record{{ID: "a", Past: true, Content: "password: hunter2-Zx81q"}}, []string{"holds PASSWORD in content: a"}},
		{[]Record{{ID: "a", Content: "x", Texts: []Text{{"author", "password=hunter2-Zx81q"}}}}, []string{"holds PASSWORD in author: a"}},
		{[]Record{{ID: "a", Content: "the password is changed every month"}}, nil},
		{[]Record{{ID: "a", Content: "password: [PASSWORD:REDACTED]"}}, nil},
	},
}
