package redact

import "strings"

const maxUserInfo = 512 // bytes after :// in which the @ is looked for

var urlPasswords = detector{
	Doc:     "Passwords in the user information of an URL. User, host and the rest stay.",
	Anchors: []string{"://"},
	at:      urlPasswordAt,
	Kinds: []kind{{
		Label: "URL_PASSWORD",
		Doc:   "a password in an URL",
		Yes: []string{
			"postgres://app:«winter-moose-8070!!»@db.example.com:5432/users?sslmode=disable",
			"redis://:«zg765DBh!lZq»@cache.example.com:6379/0",
			"https://deploy:«s3cretword»@git.example.com/team/app.git",
			"mongodb+srv://svc:«p%40ss%2Fword9»@cluster0.example.net/users",
			"amqp://bunny:«half/of#it?all»@mq.example.org/vhost",
		},
		No: []string{
			"postgres://user:password@localhost:5432/mydb",
			"postgres://${USER}:${PASS}@localhost/db and postgres://{user}:{password}@{host}/db",
			"postgres://%s:%s@%s/%s",
			"https://example.com:8080/a/logo@2x.png",
			"https://example.com/search?q=a:b@c",
			"https://user@example.com/ and ssh://git@github.com:22/team/app.git",
			"ftp://backup:xxxxx@files.example.com",
		},
	}},
}

var (
	urlStop       = classOf("\x00- \"'`<>\\\x7f")
	authorityStop = classOf("/?#")
)

// urlPasswordAt takes the text between the first colon and the last @ of the authority, or before the @ if that is a
// token.
func urlPasswordAt(t *scan, i, _ int) int {
	s, from := t.s, i+len("://")
	at := userInfoEnd(s, from)
	if at < 0 {
		return from
	}
	start := from
	if colon := strings.IndexByte(s[from:at], ':'); colon >= 0 && colon+1 < at-from {
		start += colon + 1
	} else if !random(s[from:at], 16) {
		return from
	}
	password := s[start:at]
	if password == "" || reference(password) || standInWord(password) {
		return at
	}
	t.hit("URL_PASSWORD", start, at)
	return at
}

// userInfoEnd returns where the @ stands that ends the user information, or -1. A password with a raw slash, question
// mark or number sign in it ends the authority too early by the grammar of RFC 3986; it counts all the same if the
// text after the colon cannot be a port.
func userInfoEnd(s string, from int) int {
	limit := min(len(s), from+maxUserInfo)
	authority := from
	for authority < limit && !urlStop[s[authority]] && !authorityStop[s[authority]] {
		authority++
	}
	if at := strings.LastIndexByte(s[from:authority], '@'); at >= 0 {
		return from + at
	}
	colon := strings.IndexByte(s[from:authority], ':')
	if colon < 0 || digits.run(s, from+colon+1, authority) == authority {
		return -1
	}
	for at := authority; at < limit && !urlStop[s[at]] && !strings.HasPrefix(s[at:], "://"); at++ {
		if s[at] == '@' {
			return at
		}
	}
	return -1
}
