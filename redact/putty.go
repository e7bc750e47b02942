package redact

import "strings"

var puttyKeys = detector{
	Doc:     "The private part of PuTTY's key files.",
	Anchors: []string{"Private-Lines:"},
	at:      puttyAt,
	Kinds: []kind{{
		Label: "PUTTY_KEY",
		Doc:   "the private part of a PuTTY key",
		Yes: []string{
			"PuTTY-User-Key-File-3: ssh-ed25519\nPublic-Lines: 1\nAAAAC3NzaC1lZDI1NTE5\nPrivate-Lines: 1\n«c2FtcGxlIG9mIHdvcmRz»\nPrivate-MAC: 24\n",
			"Private-Lines: 2\r\n«c2FtcGxlIG9mIHdvcmRzIGFuZA==\r\nbW9yZSBvZiB0aGUgc2FtZQ==»\r\n",
		},
		No: []string{"Private-Lines: of the document are shown to editors only", "Public-Lines: 1\nAAAAC3NzaC1lZDI1NTE5\n"},
	}},
}

// puttyAt takes the lines that follow, as long as they are base64.
func puttyAt(t *scan, i, k int) int {
	s := t.s
	start := skipGaps(s, digits.run(s, blanks.run(s, i+len(t.anchor(k)), len(s)), len(s)))
	end := start
	for at := start; at < len(s); {
		stop := base64Run.run(s, at, len(s))
		if stop-at < keyPiece || !endsLine(s, stop) {
			break
		}
		end = stop
		at = skipGaps(s, stop)
	}
	if end-start >= 2*keyPiece {
		t.hit("PUTTY_KEY", start, end)
	}
	return max(i+1, end)
}

var webKeys = detector{
	Doc:     "The private members of JSON Web Keys, by RFC 7518. The public ones stay.",
	Anchors: []string{`kty`},
	at:      webKeyAt,
	Kinds: []kind{{
		Label: "WEB_KEY",
		Doc:   "a private member of a JSON Web Key",
		Yes: []string{
			`{"kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "d": "«jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI»"}`,
			`{"k":"«GawgguFyGrWKav7AX4VKUgzYdBmUx»","kty":"oct"}`,
		},
		No: []string{
			`{"kty": "RSA", "n": "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMs", "e": "AQAB"}`,
			`{"d": "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"}`,
		},
	}},
}

const (
	maxWebKey = 4096 // bytes around kty in which its object lies
	minMember = 16   // bytes of a private member
)

var privateMembers = wordSet("d p q dp dq qi k")

// webKeyAt looks at the members of the object that holds kty.
func webKeyAt(t *scan, i, _ int) int {
	s := t.s
	if i == 0 || !quotes[s[i-1]] || i+3 >= len(s) || !quotes[s[i+3]] && s[i+3] != '\\' {
		return i + 1
	}
	from := max(t.read[t.family].end, i-maxWebKey, 0)
	from += strings.LastIndexByte(s[from:i], '{') + 1
	end := min(len(s), i+maxWebKey)
	if n := strings.IndexByte(s[i:end], '}'); n >= 0 {
		end = i + n
	}
	for at := from; at < end; at++ {
		if !quotes[s[at]] {
			continue
		}
		stop := letters.run(s, at+1, end)
		if stop > at+1 && privateMembers[s[at+1:stop]] {
			if form, start := separator(s, stop); form == colon {
				v := valueAt(s, start, form)
				if v.quoted && v.end-v.start >= minMember && base64url.run(s, v.start, v.end) == v.end {
					t.hit("WEB_KEY", v.start, v.end)
				}
			}
		}
		at = stop
	}
	return end
}
