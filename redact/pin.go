package redact

import "strings"

var shortCodes = detector{
	Doc:     "Numbers of a few digits beside a name that says that they open something: the PIN, a one-time code, the security code of a card.",
	Anchors: []string{"pin", "otp", "cvv", "cvc", "one-time code", "one time code", "one_time_code", "verification code", "verification_code", "security code", "security_code"},
	at:      shortCodeAt,
	Kinds: []kind{{
		Label:    "CODE",
		Doc:      "a PIN, a one-time code, or the security code of a card",
		Unmarked: true,
		Yes: []string{
			"My PIN is «4471».",
			"card pin: «4471»",
			`{"pin": "«4471»", "otp": "«559203»"}`,
			"OTP=«559203»",
			"Your one-time code is «559203», it ends in ten minutes",
			"exp 04/29 cvv «123»",
			"<cvc>«123»</cvc>",
			"security code: «1234»",
			"verification_code=«8812»",
		},
		No: []string{
			"pin: 13\npin=4, pins 4471",
			"Erlang/OTP 26, OTP 25.3.2",
			"pin the version to 4471",
			"spin: 4471 shopping: 1200 opinion is 2024",
			"PIN: 560001 Bengaluru",
			"the cvv check failed in 1230 of 4000 orders",
			"otp: 4471.25",
			"The security code is in src/auth.go:1200",
		},
	}},
}

// codeLengths are how many digits the codes of a name have: those of a PIN are four, since six may be of an address in India.
func codeLengths(name string) (least, most int) {
	switch name {
	case "pin":
		return 4, 4
	case "cvv", "cvc":
		return 3, 4
	default:
		return 4, 8
	}
}

// shortCodeAt takes the digits behind the name, where a sign, a quote or "is" ties them to it.
func shortCodeAt(t *scan, i, k int) int {
	s, name := t.s, t.anchor(k)
	after := i + len(name)
	if !boundary(s, i, after) {
		return i
	}
	at := after
	for at < len(s) && at < after+maxTied && strings.IndexByte(" :=\"'>\t\\", s[at]) >= 0 {
		at++
	}
	if strings.HasPrefix(s[at:], "is ") && at > after {
		at = blanks.run(s, at+len("is"), at+len("is")+maxBlanks)
	}
	tied := strings.Trim(s[after:at], " \t") != "" || name == "cvv" || name == "cvc"
	end := digits.run(s, at, at+maxKey)
	least, most := codeLengths(name)
	if !tied || end-at < least || end-at > most || end < len(s) && (nameBytes[s[end]] || s[end] == '.' && end+1 < len(s) && digits[s[end+1]]) {
		return after
	}
	t.hit("CODE", at, end)
	return end
}

const maxTied = 12 // bytes of signs between a name and its digits

var loginPairs = detector{
	Doc:     "A name and a password behind each other: login: name / password.",
	Anchors: []string{"login", "logins", "credentials", "creds", "user", "username"},
	at:      loginPairAt,
	Kinds: []kind{{
		Label: "LOGIN_PASSWORD",
		Doc:   "a password behind the name of its account",
		Yes: []string{
			"login: ann / «Wint3rSun!»",
			"credentials: ann.berg / «Wint3rSun!»\n",
			"creds = admin / «Tulip77rain»",
			"user ann, pass «Wint3rSun!»",
			"username: ann, pw «Tulip77rain»",
		},
		No: []string{
			"login: ann / bob",
			"user: ann / admin",
			"login /api/v1/login2",
			"user ann, pass the salt",
			"login page / Section2",
			"credentials: file / Keychain",
		},
	}},
}

// pairSigns stand between the name and the password.
var pairSigns = []string{" / ", ` \/ `, ", pass ", ", password ", ", pw ", ", pwd ", " pass ", " pw "}

// loginPairAt takes the word behind a name and a sign of a pair, where it is written as passwords are.
func loginPairAt(t *scan, i, k int) int {
	s, after := t.s, i+len(t.anchor(k))
	if !boundary(s, i, after) {
		return i
	}
	at := after
	for at < len(s) && at < after+maxTied && strings.IndexByte(" :=\t", s[at]) >= 0 {
		at++
	}
	name := accountBytes.run(s, at, at+maxKey)
	if at == after || name == at {
		return after
	}
	for _, sign := range pairSigns {
		if !strings.HasPrefix(s[name:], sign) {
			continue
		}
		if strings.HasSuffix(sign, "/ ") && strings.Trim(s[after:at], " \t") == "" {
			continue // two words with a stroke between them, as in a text
		}
		start := name + len(sign)
		end := start
		for end < len(s) && end < start+maxKey && s[end] > ' ' && strings.IndexByte("\"'`<>,;\\", s[end]) < 0 {
			end++
		}
		if password(s[start:end]) {
			t.hit("LOGIN_PASSWORD", start, end)
			return end
		}
	}
	return after
}

var accountBytes = classOf("A-Za-z0-9_.@+-")
