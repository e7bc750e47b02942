package audit

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

var oversized = Check{
	Kind: Oversized,
	Doc:  "too long to be recalled beside anything else: keep the conclusion",
	begin: each(func(o Options, r *record) (string, float64) {
		n := utf8.RuneCountInString(r.Content)
		if n <= o.MaxLength {
			return "", 0
		}
		return fmt.Sprintf("has %d characters, over %d", n, o.MaxLength), float64(n)
	}),
	samples: []sample{
		{[]Record{{ID: "a", Content: strings.Repeat("é", 4001)}}, []string{"has 4001 characters, over 4000: a"}},
		{[]Record{{ID: "a", Content: strings.Repeat("é", 4000)}, {ID: "b", Past: true, Content: strings.Repeat("é", 4001)}}, nil},
	},
}
