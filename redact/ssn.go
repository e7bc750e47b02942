package redact

var ssns = detector{
	Doc:     "US social security numbers: 3-2-4 digits with hyphens, or in other forms beside their name.",
	number:  ssnNumber,
	Lengths: []int{3, 9},
	Kinds: []kind{{
		Label:    "SSN",
		Doc:      "a US social security number",
		Unmarked: true,
		Yes: []string{
			"Applicant SSN: «774-62-6362», filed 2025",
			`{"ssn": "«544-18-5217»", "state": "OR"}`,
			"id,ssn,zip\n7,«383-72-9569»,97201",
			"The number on file («013-40-2446») did not match.",
			"social security number «544185217»",
			"ssn «544 18 5217»",
		},
		No: []string{
			"part 000-12-6056 and 972-50-8566 and 666-12-3456 in bin 290",
			"544-00-5217 and 544-18-0000",
			"epoch 170586932 took 649083124 ns",
			"build 2023-10-1751.938 of 544-18-52170",
			"order 544 18 5217",
		},
	}},
}

var ssnWords = []string{"ssn", "social security", "social-security", "ssns"}

// ssnNumber looks at the number whose first n digits stand at i: all of them, or a group of three.
func ssnNumber(t *scan, i, n int) int {
	if n == 3 && (i+4 >= len(t.s) || !digits[t.s[i+4]]) {
		return i + 1
	}
	if end, ok := ssnAt(t.s, i); ok {
		t.hit("SSN", i, end)
		return end
	}
	return i + 1
}

// ssnAt returns where the number that begins at i ends. A form with hyphens is sure; other forms need a word beside it.
func ssnAt(s string, i int) (end int, ok bool) {
	number, end := inGroups(s, i, "324")
	hyphens := number != "" && s[i+3] == '-'
	if number == "" {
		end = digits.run(s, i, i+10)
		number = s[i:end]
	}
	ok = len(number) == 9 && freeLeft(s, i) && freeRight(s, end) && assignable(number) &&
		(hyphens || near(s, i, end, ssnWords))
	return end, ok
}

// assignable reports whether the Social Security Administration may have assigned the number: no area 000, 666 or
// from 900 on, no group 00, no serial 0000.
func assignable(number string) bool {
	area, group, serial := number[:3], number[3:5], number[5:]
	return area != "000" && area != "666" && area[0] != '9' && group != "00" && serial != "0000"
}
