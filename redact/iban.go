package redact

var ibans = detector{
	Doc:    "International bank account numbers: a country's length and the check of ISO 7064, modulo 97.",
	number: ibanNumber,
	behind: classOf("A-Z"),
	Kinds: []kind{{
		Label:    "IBAN",
		Doc:      "an international bank account number",
		Unmarked: true,
		Yes: []string{
			"Please pay to «DE89370400440532013000» by Friday",
			`{"iban": "«GB29 NWBK 6016 1331 9268 19»", "bic": "EXAMDEFF"}`,
			"«FR1420041010050500013M02606»",
			"IBAN: «NL91ABNA0417164300».",
		},
		No: []string{
			"IBAN-like DE89370400440532013001 rejected",
			"DE89 and GB29 are prefixes",
			"tracking 1ZHQD5DFCF5ZWF6EC8 / 338197774371",
			"part XDE89370400440532013000",
		},
	}},
}

// ibanLengths are the lengths of the countries' numbers, from the registry of SWIFT.
var ibanLengths = map[string]int{
	"AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BI": 27, "BR": 29, "BY": 28,
	"CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DJ": 27, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18,
	"FK": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22,
	"IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20, "LU": 20,
	"LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MN": 20, "MR": 27, "MT": 31, "MU": 30, "NI": 28, "NL": 18,
	"NO": 15, "OM": 23, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "RU": 33, "SA": 24, "SC": 31,
	"SD": 18, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "SO": 23, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26, "UA": 29,
	"VA": 22, "VG": 24, "XK": 20, "YE": 30,
}

// ibanNumber looks at the check digits at i, before which the country must stand.
func ibanNumber(t *scan, i, _ int) int {
	s := t.s
	if i < 2 || i+2 >= len(s) || !isUpper(s[i-2]) || !isUpper(s[i-1]) || !startsWord(s, i-2) {
		return i + 1
	}
	n, known := ibanLengths[s[i-2:i]]
	if !known {
		return i + 1
	}
	number, end := ibanAt(s, i-2, n)
	if len(number) != n || !endsWord(s, end) || mod97(number) != 1 {
		return i + 1
	}
	t.hit("IBAN", i-2, end)
	return end
}

// ibanAt reads n capitals and digits from i, in one piece or in groups of four that one space parts.
func ibanAt(s string, i, n int) (number string, end int) {
	for len(number) < n {
		if stop := upperNum.run(s, i, i+n-len(number)); stop > i {
			number += s[i:stop]
			i = stop
			continue
		}
		if len(number)%4 != 0 || i >= len(s) || s[i] != ' ' || i+1 >= len(s) || !upperNum[s[i+1]] {
			break
		}
		i++
	}
	return number, i
}

// mod97 returns the remainder of the number by ISO 7064, the first four characters moved to the end and letters
// counted from 10.
func mod97(number string) int {
	r := 0
	for i := range len(number) {
		c := number[(i+4)%len(number)]
		if digits[c] {
			r = (r*10 + int(c-'0')) % 97
		} else {
			r = (r*100 + int(c-'A') + 10) % 97
		}
	}
	return r
}
