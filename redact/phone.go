package redact

import "strings"

const (
	minPhone = 8  // digits of an international number
	maxPhone = 15 // by ITU-T E.164
)

var phones = detector{
	Doc: "Telephone numbers: international ones with their plus sign, and those of North America in the usual groups or " +
		"beside a word that names them.",
	Anchors: []string{"+1", "+2", "+3", "+4", "+5", "+6", "+7", "+8", "+9"},
	at:      internationalAt,
	number:  nationalNumber,
	Lengths: []int{3, 10},
	Kinds: []kind{{
		Label:    "PHONE",
		Doc:      "a telephone number",
		Unmarked: true,
		Yes: []string{
			"Call me on «+1-415-555-0149» after six",
			"It is «+1-415-555-0149».",
			`{"phone": "«(415) 555-0173»", "ext": 2}`,
			"phone: «+44 7700 900643»",
			"tel:«+493023125044»",
			"call «202-555-0132» or «+33 1 99 00 64 60»",
			"mobile «202.555.0132»",
			`{"tel": "«2025550132»"}`,
			"«+1 (415) 555-0149» is the desk",
			"call «202-555-0132», or from abroad «+44 7700 900643»",
		},
		No: []string{
			"UTC+0200 and 2024-11-21T10:00:00+01:00",
			"a+1234567890 and 3+12345678 and +12345678.25",
			"build 202-555-01321 of 1202-555-0132",
			"order 2025550132 and 202.555.0132",
			"ranges 100-200-3000, 415-155-0149",
			"x = +1234567 ;diff +12345,6 +7890,12",
			"Thu Feb 04 21:00:57 +1130 2010",
			"ISBN 978-3-16-148410-0 and 555-01-2345678",
		},
	}},
}

var phoneWords = []string{"phone", "tel", "telephone", "mobile", "cell", "fax", "call", "whatsapp", "sms", "dial", "msisdn"}

// internationalAt reads the digits after a plus sign: groups that one space, hyphen, full stop or pair of parentheses
// parts.
func internationalAt(t *scan, i, _ int) int {
	s := t.s
	if i > 0 && (alnum[s[i-1]] || s[i-1] == ')' || s[i-1] == '+') && !startsWord(s, i) {
		return i + 1
	}
	end, n := phoneGroups(s, i+1)
	if n < minPhone || n > maxPhone || !freeRight(s, end) || n == minPhone && !near(s, i, end, phoneWords) {
		return end
	}
	t.hit("PHONE", i, end)
	return end
}

// phoneGroups reads digits in groups from i, and returns where they end and how many they are. Full stops part three
// groups or more: with one it is a fraction.
func phoneGroups(s string, i int) (end, n int) {
	dots := 0
	for end = i; n <= maxPhone; {
		stop := digits.run(s, i, i+maxPhone+1)
		if stop == i {
			break
		}
		n += stop - i
		end, i = stop, stop
		for i < len(s) && i-stop < 2 && strings.IndexByte(" -.()", s[i]) >= 0 {
			i++
		}
		if i == stop {
			break
		}
		if s[stop] == '.' && i < len(s) && digits[s[i]] {
			dots++
		}
	}
	if dots == 1 {
		n = 0
	}
	return end, n
}

// nationalNumber reads a number of North America whose area code begins at i: (415) 555-0173, 415-555-0173; in other
// forms only beside a word for telephones.
func nationalNumber(t *scan, i, _ int) int {
	s, start := t.s, i
	number, end := inGroups(s, i, "334")
	named := number == "" || s[i+3] != '-'
	switch {
	case i > 0 && s[i-1] == '(':
		if number, end = parenthesised(s, i); number != "" {
			start, named = i-1, false
		}
	case number == "":
		if number, end = dotted334(s, i); number == "" {
			end = digits.run(s, i, i+11)
			number = s[i:end]
		}
	}
	if len(number) != 10 || !northAmerican(number) || !freeLeft(s, start) || !freeRight(s, end) ||
		named && !near(s, start, end, phoneWords) {
		return i + 1
	}
	t.hit("PHONE", start, end)
	return end
}

// parenthesised reads 415) 555-0173 from i.
func parenthesised(s string, i int) (number string, end int) {
	if digits.run(s, i, i+4) != i+3 || i+3 >= len(s) || s[i+3] != ')' {
		return "", 0
	}
	rest := blanks.run(s, i+4, i+5)
	local, end := inGroups(s, rest, "34")
	if local == "" {
		return "", 0
	}
	return s[i:i+3] + local, end
}

// dotted334 reads 415.555.0173 from i.
func dotted334(s string, i int) (number string, end int) {
	if len(s)-i < 12 || s[i+3] != '.' || s[i+7] != '.' || digits.run(s, i, i+3) != i+3 || digits.run(s, i+4, i+7) != i+7 ||
		digits.run(s, i+8, i+12) != i+12 {
		return "", 0
	}
	return s[i:i+3] + s[i+4:i+7] + s[i+8:i+12], i + 12
}

// northAmerican reports whether the numbering plan has such a number: area and exchange begin with 2 to 9, and neither
// is one of the service codes that end in 11.
func northAmerican(number string) bool {
	area, exchange := number[:3], number[3:6]
	return area[0] >= '2' && exchange[0] >= '2' && area[1:] != "11" && exchange[1:] != "11"
}
