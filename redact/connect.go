package redact

import "strings"

var connections = detector{
	Doc:     "Passwords before the host of an address that has no scheme: the data source names of Go, user:password@host:port.",
	Anchors: []string{"@"},
	at:      connectionAt,
	Kinds: []kind{{
		Label: "CONNECTION_PASSWORD",
		Doc:   "a password in an address that has no scheme",
		Yes: []string{
			"app:«hunter2»@tcp(db.example.com:3306)/users?parseTime=true",
			`dsn := "app:«p@ss/w0rd»@tcp(10.0.0.1:3306)/users"`,
			"MYSQL_DSN=app:«swordfish»@unix(/var/run/mysqld.sock)/users",
			"app:«Tulip77rain»@db.example.com:27017/users",
			"DSN: scott/«Tulip77rain»@//db.example.com:1521/orcl",
		},
		No: []string{
			"user:password@tcp(localhost:3306)/dbname and username:password@protocol(address)/dbname",
			"app:${DB_PASS}@tcp(db:3306)/users, app:%s@tcp(%s)/%s",
			"registry.example.com/team/app:v1.2.3@sha256:4f53cda18c2baa0c",
			"npm:lodash@4.17.21 git@github.com:team/app.git time:12:30@noon",
			"see https://example.com/a:b@c and @app.route(x) and a@tcp(b)",
		},
	}},
}

// maxAccount is how many bytes before the @ a user and a password have.
const maxAccount = 128

var accountStop = classOf("\x00- \"'`<>\\\x7f")

// connectionAt looks at the text before the sign: user:password, or user/password of Oracle.
func connectionAt(t *scan, i, _ int) int {
	s, rest := t.s, t.s[i+1:]
	sure := hasAnyPrefix(rest, "tcp(", "unix(", "udp(", "tcp6(")
	if !sure && !strings.HasPrefix(rest, "//") && !hostname(rest) {
		return i + 1
	}
	start := i
	for start > 0 && i-start < maxAccount && !accountStop[s[start-1]] {
		start--
	}
	start = escaped(s, start)
	if sign := strings.IndexByte(s[start:i], '='); sign > 0 && nameBytes.run(s, start, start+sign) == start+sign {
		start += sign + 1
	}
	user := nameBytes.run(s, start, i)
	if user == start || user+1 >= i || strings.Contains(s[start:i], "://") {
		return i + 1
	}
	password := s[user+1 : i]
	switch {
	case reference(password) || standInWord(password):
	case s[user] == ':' && (sure || strong(password) && hostname(rest)), s[user] == '/' && strings.HasPrefix(rest, "//"):
		t.hit("CONNECTION_PASSWORD", user+1, i)
	}
	return i + 1
}

// hostname reports whether the text begins with a host and a port or a path.
func hostname(text string) bool {
	n := domainBytes.run(text, 0, maxDomain)
	return n > 0 && n+1 < len(text) && letters[text[0]] && (text[n] == ':' && digits[text[n+1]] || text[n] == '/')
}
