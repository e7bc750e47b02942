package redact

import "strings"

const (
	maxLocal  = 64  // bytes before the @, by RFC 5321
	maxDomain = 253 // bytes after it
	maxLogin  = 24  // bytes before the address of an account in which its command stands
	maxTLD    = 18  // letters of the longest top level domain that is spelt with letters
)

var emails = detector{
	Doc:     "E-mail addresses of people and teams, with a domain that can stand in the public DNS.",
	Anchors: []string{"@", "%40", `\u0040`},
	at:      emailAt,
	Kinds: []kind{{
		Label:    "EMAIL",
		Doc:      "an e-mail address",
		Unmarked: true,
		Yes: []string{
			"From: Ana <«liu.wei@example.com»>",
			`{"email": "«k.novak+news@mail.example.net»", "id": 3}`,
			"mailto:«mia@example.org»?subject=hi",
			"user «o'neill_7@example.co.uk» logged in.",
			"a,«bob@example.com»,b",
			"https://example.com/unsubscribe?to=«bob%40example.com»&x=1",
		},
		No: []string{
			"git clone git@github.com:team/app.git",
			"ssh deploy@web-1 and root@10.0.0.7",
			"bob@laptop.local:~$ ls",
			"ssh -i key deploy@web-1.example.com uptime",
			"logo@2x.png and icon@3x.webp",
			"npm i left-pad@1.3.0 @scope/pkg@latest actions/checkout@v4",
			"registry.example.com/app@sha256:4f53cda18c2baa0c",
			"https://user@example.com/ and ssh://git@github.com:22/team/app.git",
			"@app.route and x @ y.T and Foo@1b2c3d",
		},
	}},
}

var (
	localBytes  = classOf("A-Za-z0-9._+'%-")
	domainBytes = classOf("A-Za-z0-9.-")
)

// taken reports whether the stretch was just found to be a secret: the password of user:password@host is no mailbox.
func (t *scan) taken(start, end int) bool {
	for i := len(t.spans) - 1; i >= 0 && i >= len(t.spans)-4; i-- {
		if t.spans[i].start == start && t.spans[i].end == end {
			return true
		}
	}
	return false
}

// emailAt looks at the text around the sign.
func emailAt(t *scan, i, k int) int {
	s, after := t.s, i+len(t.anchor(k))
	start := i
	for start > t.read[t.family].end && i-start < maxLocal && localBytes[s[start-1]] {
		start--
	}
	start = escaped(s, start)
	for start < i && strings.IndexByte(".'-+%", s[start]) >= 0 {
		start++
	}
	end := domainEnd(s, after)
	if start >= i || s[i-1] == '.' || end == 0 || account(s, start, i, end) || inUserInfo(s, start) || t.taken(start, i) {
		return after
	}
	t.hit("EMAIL", start, end)
	return end
}

// inUserInfo reports whether the text at i follows the user, or a part of the password, of an URL: a colon that no port
// follows.
func inUserInfo(s string, i int) bool {
	head := s[max(0, i-maxUserInfo/4):i]
	at := strings.LastIndex(head, "://")
	if at < 0 || strings.ContainsAny(head[at:], " \t\n\"'<>") {
		return false
	}
	authority := head[at+len("://"):]
	colon := strings.IndexByte(authority, ':')
	if slash := strings.IndexAny(authority, "/?#"); colon < 0 || slash >= 0 && slash < colon {
		return false
	}
	port := digits.run(authority, colon+1, len(authority))
	return port == colon+1 || port < len(authority) && !authorityStop[authority[port]]
}

// domainEnd returns where the domain that begins at i ends, and 0 if there is none: two labels or more, the last of
// which is no number, no extension of a file, and no domain of a private network.
func domainEnd(s string, i int) int {
	end := domainBytes.run(s, i, i+maxDomain)
	for end > i && !alnum[s[end-1]] {
		end--
	}
	domain := s[i:end]
	dot := strings.LastIndexByte(domain, '.')
	if dot < 1 || !alnum[domain[0]] || strings.Contains(domain, "..") || end < len(s) && s[end] == '_' {
		return 0
	}
	tld := domain[dot+1:]
	if len(tld) < 2 || len(tld) > maxTLD || letters.run(tld, 0, len(tld)) < len(tld) || noDomain[strings.ToLower(tld)] {
		return 0
	}
	return end
}

// noDomain holds words that look like top level domains and are none.
var noDomain = wordList("no_domains")

// account reports whether the address is one of a machine, not of a person: the user of an URL, of git or of a shell's
// prompt.
func account(s string, start, at, end int) bool {
	if s[start:at] == "git" || start > 2 && s[start-3:start] == "://" || containsAny(s[max(0, start-maxLogin):start], "ssh ", "scp ", "sftp ", "rsync ") {
		return true
	}
	return end+1 < len(s) && s[end] == ':' && (s[end+1] == '~' || s[end+1] == '/' || alnum[s[end+1]] && !digits[s[end+1]])
}
