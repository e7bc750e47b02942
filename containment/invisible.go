package containment

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"
)

// invisible are the characters that a person does not see: Default_Ignorable_Code_Point of Unicode 15, and the interlinear marks.
var invisible = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x00AD, 0x00AD, 1}, {0x034F, 0x034F, 1}, {0x061C, 0x061C, 1}, {0x115F, 0x1160, 1}, {0x17B4, 0x17B5, 1}, {0x180B, 0x180F, 1},
		{0x200B, 0x200F, 1}, {0x202A, 0x202E, 1}, {0x2060, 0x206F, 1}, {0x3164, 0x3164, 1}, {0xFE00, 0xFE0F, 1}, {0xFEFF, 0xFEFF, 1},
		{0xFFA0, 0xFFA0, 1}, {0xFFF0, 0xFFFB, 1},
	},
	R32:         []unicode.Range32{{0x1BCA0, 0x1BCA3, 1}, {0x1D173, 0x1D17A, 1}, {0xE0000, 0xE0FFF, 1}},
	LatinOffset: 1,
}

// joining are the scripts whose letters take another form beside a joiner or a non-joiner (Unicode 15, 23.2): there they are spelling.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mandaic, unicode.Mongolian, unicode.Phags_Pa, unicode.Adlam, unicode.Hanifi_Rohingya,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada,
	unicode.Malayalam, unicode.Sinhala, unicode.Tibetan, unicode.Myanmar, unicode.Khmer, unicode.Balinese, unicode.Javanese,
}

// flags are the emoji that are spelled with tag characters: those of England, Scotland and Wales, the only ones recommended for use.
var flags = []string{flag("gbeng"), flag("gbsct"), flag("gbwls")}

func flag(region string) string {
	spelled := "\U0001F3F4"
	for _, r := range region {
		spelled += string(0xE0000 + r)
	}
	return spelled + "\U000E007F"
}

// removal lists the characters that strip took out of a text.
type removal struct {
	total  int
	hidden []int // offsets of those that carry text that a person does not see: tags, overrides of direction, long runs
	plain  []int // offsets of the rest
}

func (r removal) any() bool { return r.total > 0 }

// longRun is how many invisible characters in a row can hardly be an accident: they can spell a text.
const longRun = 4

// strip removes the invisible characters of a text, but for those that its spelling needs: joiners in scripts that have them and within
// emoji, the one variation selector behind a character that has variants, and the tags of three flags. It returns the error of the context if that
// ends before.
func strip(ctx context.Context, text string) (string, removal, error) {
	s := stripper{text: text, before: -1}
	first, err := firstInvisible(ctx, text)
	if err != nil || first < 0 {
		return text, s.out, err
	}
	s.b.Grow(len(text))
	for look := 0; s.at < len(text); s.step() {
		if s.at >= look {
			if err := ctx.Err(); err != nil {
				return "", removal{}, err
			}
			look = s.at + lookEvery/invisibleCost
		}
	}
	return s.b.String(), s.out, nil
}

// invisibleCost is how many times the work of another a character takes where spelling is looked at.
const invisibleCost = 8

// firstInvisible returns where the first invisible character stands; -1 if there is none.
func firstInvisible(ctx context.Context, text string) (int, error) {
	for i, look := 0, 0; i < len(text); {
		if i >= look {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			look = i + lookEvery
		}
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if isInvisible(r) {
			return i, nil
		}
		i += size
	}
	return -1, nil
}

// stripper is on its way through a text.
type stripper struct {
	text   string
	at     int
	before rune // the last rune that was kept
	run    int  // the invisible ones in a row that were not
	since  int  // where they began
	b      strings.Builder
	out    removal
}

// step takes the next character, or flag.
func (s *stripper) step() {
	rest := s.text[s.at:]
	r, size := utf8.DecodeRuneInString(rest)
	if f := flagAt(rest); f != "" {
		s.keep(f, '\U0001F3F4')
		return
	}
	after, _ := utf8.DecodeRuneInString(rest[size:])
	if !isInvisible(r) || spelled(s.before, r, after) {
		s.keep(rest[:size], r)
		return
	}
	if s.run == 0 {
		s.since = s.at
	}
	s.run++
	s.out.note(r, s.at, s.since, s.run)
	s.at += size
}

func (s *stripper) keep(text string, last rune) {
	s.b.WriteString(text)
	s.before, s.run = last, 0
	s.at += len(text)
}

// note counts a character that is removed. It is hidden text by itself, or as part of a run that has grown long.
func (out *removal) note(r rune, at, since, run int) {
	out.total++
	switch {
	case hides(r) || run == longRun:
		out.hidden = append(out.hidden, min(at, since))
	case run < longRun:
		out.plain = append(out.plain, at)
	}
}

// hides reports whether a single character is a means to hide text: a tag, a selector of the supplement, a change of direction.
func hides(r rune) bool {
	return r >= 0xE0000 && r <= 0xE0FFF || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
}

// Hidden reports whether a page must name a character instead of showing it: a person would not see it, or would see the text around it in
// another order. The selector of the coloured form of a sign changes nothing that is read.
func Hidden(r rune) bool { return isInvisible(r) && r != 0xFE0F }

func isInvisible(r rune) bool { return r >= 0xAD && unicode.Is(invisible, r) }

func flagAt(text string) string {
	if strings.HasPrefix(text, "\U0001F3F4\U000E0067") {
		for _, f := range flags {
			if strings.HasPrefix(text, f) {
				return f
			}
		}
	}
	return ""
}

// spelled reports whether an invisible character belongs to the spelling of the text around it.
func spelled(before, r, after rune) bool {
	switch {
	case r == '\u200d' && (isEmoji(before) || isPresentation(before)) && isEmoji(after):
		return true
	case r == '\u200c' || r == '\u200d':
		return joins(before) && (r == '\u200d' || joins(after))
	case isPresentation(r):
		return isEmoji(before) || strings.ContainsRune("#*0123456789", before)
	case r >= 0xFE00 && r <= 0xFE02:
		return unicode.In(before, unicode.Han, unicode.Sm, unicode.Myanmar)
	case r >= 0xE0100 && r <= 0xE01EF:
		return unicode.Is(unicode.Han, before)
	case r >= 0x180B && r <= 0x180F:
		return unicode.Is(unicode.Mongolian, before) && !isInvisible(before)
	}
	return false
}

// joins reports whether a rune is a letter or mark of a script that spells with joiners.
func joins(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsMark(r)) && !isInvisible(r) && unicode.In(r, joining...)
}

func isPresentation(r rune) bool { return r == '\ufe0e' || r == '\ufe0f' }

// isEmoji reports whether a rune can be a part of an emoji. Go has no table of Extended_Pictographic; symbols are close to it.
func isEmoji(r rune) bool {
	return unicode.In(r, unicode.So, unicode.Sm) || r >= 0x1F3FB && r <= 0x1F3FF || strings.ContainsRune("\u203c\u2049\u2139\u3030\u303d\u20e3", r)
}
