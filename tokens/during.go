package tokens

import "context"

// lookEvery is the number of bytes of a text that are counted between two looks at the context.
const lookEvery = 32 << 10

// During returns a counter that counts as c does while ctx lasts. Once that has ended, a count comes at once and is worth nothing: its
// user looks at the context afterwards.
func During(ctx context.Context, c Bounded) Bounded {
	if p, can := c.(patient); can {
		return lasting{p, func() bool { return ctx.Err() != nil }}
	}
	return c // a CharRatio, which takes a few milliseconds for a megabyte
}

// patient is a counter whose work can be given up.
type patient interface {
	Bounded
	// during returns the size of a text; anything, once ended says that nobody wants it.
	during(text string, ended func() bool) Size
}

type lasting struct {
	patient
	ended func() bool
}

func (l lasting) Count(text string) int { return l.size(text).Value }
func (l lasting) Bound(text string) int { return l.size(text).Bound }
func (l lasting) size(text string) Size { return l.during(text, l.ended) }

func never() bool { return false }
