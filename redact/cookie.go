package redact

import "strings"

const (
	maxCookieName = 128
	minSession    = 8 // bytes of the value of a cookie that is named like a session
)

var cookies = detector{
	Doc:     "Values of cookies that carry a session, in Cookie and Set-Cookie headers. Other cookies stay.",
	Anchors: []string{"cookie"},
	at:      cookiesAt,
	Kinds: []kind{{
		Label: "COOKIE",
		Doc:   "the value of a session cookie",
		Yes: []string{
			"Cookie: theme=dark; sessionid=«paldfg5o5m9g44ymtdg9»; lang=en",
			"set-cookie: connect.sid=«s%3AZhZHz80an2otki.ugwlXVnz7P4BYU54»; Path=/; HttpOnly; Secure",
			`{"cookie": "lang=en; auth=«c2FtcGxlLXNlc3Npb24»"}`,
			"Cookie: PHPSESSID=«298zf09hf012fh2»; _csrf=«u32t4o3tb3gg43a9f7b2c1»",
		},
		No: []string{
			"Set-Cookie: lang=en; Path=/; Max-Age=31536000; SameSite=Lax",
			"Cookie: theme=dark; consent=yes; session=[COOKIE:REDACTED]",
			"the cookie: a biscuit, in short",
			"Cookie: session=${SESSION}",
		},
	}},
}

var (
	cookieName    = classOf("A-Za-z0-9!#$%&*+.^_|~-")
	cookieValue   = classOf("!#-+\x2d-:<-[]-~") // RFC 6265, without the comma
	sessionNames  = []string{"sess", "sid", "auth", "token", "jwt", "login", "remember"}
	cookieNewPair = classOf("; ")
)

// cookiesAt walks the pairs after the header's name.
func cookiesAt(t *scan, i, _ int) int {
	s := t.s
	i += len("cookie")
	i = quotes.run(s, i, i+1)
	if i >= len(s) || s[i] != ':' && s[i] != '=' {
		return i
	}
	i = quotes.run(s, blanks.run(s, i+1, i+3), i+6)
	for {
		eq := cookieName.run(s, i, i+maxCookieName)
		if eq == i || eq >= len(s) || s[eq] != '=' {
			return i
		}
		end := cookieValue.run(s, eq+1, len(s))
		if session(s[i:eq], s[eq+1:min(end, eq+1+looked)]) {
			t.hit("COOKIE", eq+1, end)
		}
		i = cookieNewPair.run(s, end, len(s))
		if i == end {
			return end
		}
	}
}

// session reports whether the cookie carries a session: by its name, or because its value looks random.
func session(name, value string) bool {
	if reference(value) || standIn(value) {
		return false
	}
	name = strings.ToLower(name)
	for _, part := range sessionNames {
		if strings.Contains(name, part) && len(value) >= minSession {
			return true
		}
	}
	return random(value, 12)
}
