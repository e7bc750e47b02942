package redact

import "strings"

const (
	pemBegin  = "-----BEGIN "
	pemEnd    = "-----END "
	pemDashes = "-----"
	maxPEM    = 64 // bytes of the words between BEGIN and the dashes
	longChunk = 20 // bytes of base64 that are no word
	keyPiece  = 8  // bytes of base64 worth hiding between the lines
)

var privateKeys = detector{
	Doc:     "Private keys between BEGIN and END lines, and without an END line to the end of the base64. The lines stay.",
	Anchors: []string{pemBegin},
	at:      privateKeyAt,
	Kinds: []kind{{
		Label: "PRIVATE_KEY",
		Doc:   "the body of a private key",
		Yes: []string{
			pemBegin + "RSA PRIVATE KEY-----\n«" + samplePEM + "»\n-----END RSA PRIVATE KEY-----",
			pemBegin + "OPENSSH PRIVATE KEY-----\r\n«" + samplePEM + "»\r\n-----END OPENSSH PRIVATE KEY-----",
			pemBegin + `PRIVATE KEY-----\n«` + "MIIEvgIBADANBgkqhkiG9w0B" + `\n` + "AQEFAASCBKg=" + `»\n-----END PRIVATE KEY-----\n`,
			pemBegin + "PGP PRIVATE KEY BLOCK-----\n\n«" + samplePEM + "\n=AaX0»\n-----END PGP PRIVATE KEY BLOCK-----",
			pemBegin + "EC PRIVATE KEY-----\n«Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,6F2A\n\n" + samplePEM + "»",
			pemBegin + "EC PRIVATE KEY----- «" + samplePEM + "»",
		},
		No: []string{
			pemBegin + "CERTIFICATE-----\n" + samplePEM + "\n-----END CERTIFICATE-----\n",
			pemBegin + "PUBLIC KEY-----\n" + samplePEM + "\n-----END PUBLIC KEY-----\n",
			"A key file begins with " + pemBegin + "PRIVATE KEY----- and then come letters, digits and signs.",
			pemBegin + "PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
		},
	}},
}

// samplePEM is base64 of plain words, not of a key.
const samplePEM = "dGhpcyBpcyBub3QgYSBrZXksIGl0IGlzIG9ubHkgd29yZHM=\nYW5kIHNvbWUgbW9yZSB3b3Jkcw=="

var (
	pemWords  = classOf("A-Z0-9 ")
	base64Run = classOf("A-Za-z0-9+/=")
)

// privateKeyAt takes the text between the BEGIN line and the next dashes, if those end the block; if not, as much as
// looks like key material.
func privateKeyAt(t *scan, i, _ int) int {
	s, name := t.s, i+len(pemBegin)
	body := pemWords.run(s, name, name+maxPEM)
	if !strings.Contains(s[name:body], "PRIVATE KEY") || !strings.HasPrefix(s[body:], pemDashes) {
		return i + 1
	}
	body += len(pemDashes)
	end := len(s)
	if n := strings.Index(s[body:], pemDashes); n >= 0 {
		end = body + n
	}
	if !strings.HasPrefix(s[end:], pemEnd) {
		end = materialEnd(s[:end], body)
	}
	start := min(skipGaps(s, body), end)
	if stop := trimGaps(s, start, end); material(s[start:stop]) {
		t.hit("PRIVATE_KEY", start, stop)
	}
	return end
}

// material reports whether the text between the lines holds a piece of a key, not a placeholder or dots.
func material(body string) bool {
	for i := placeholderLen(body); i < len(body); i++ {
		stop := base64Run.run(body, i, len(body))
		if stop-i >= keyPiece {
			return true
		}
		i = stop
	}
	return false
}

// materialEnd returns where the key material that begins at from ends: header lines, long stretches of base64, and
// shorter ones that have their line to themselves.
func materialEnd(s string, from int) int {
	end := from
	for {
		start := skipGaps(s, end)
		stop := base64Run.run(s, start, len(s))
		switch {
		case stop < len(s) && s[stop] == '-' || strings.HasPrefix(s[stop:], ": "): // a header, Proc-Type: 4,ENCRYPTED
			line := lineEnd(s, stop)
			if !strings.Contains(s[stop:min(line, stop+maxPEM)], ": ") || !lineStart(s, start) {
				return end
			}
			end = line
		case stop-start >= longChunk:
			end = stop
		case stop > start && lineStart(s, start) && endsLine(s, stop):
			end = stop
		default:
			return end
		}
	}
}

// skipGaps returns the first place from i on that is no space and no escaped line break.
func skipGaps(s string, i int) int {
	for i < len(s) {
		switch {
		case s[i] == ' ' || s[i] == '\t' || s[i] == '\n' || s[i] == '\r':
			i++
		case brokenAt(s, i) > 0:
			i += brokenAt(s, i)
		case tabbedAt(s, i) > 0:
			i += tabbedAt(s, i)
		default:
			return i
		}
	}
	return i
}

// trimGaps returns end moved back over spaces and escaped line breaks, not before start.
func trimGaps(s string, start, end int) int {
	for end > start {
		c := s[end-1]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			end--
		case (c == 'n' || c == 'r') && end-start >= 2 && s[end-2] == '\\':
			end -= 2
			for end > start && s[end-1] == '\\' {
				end--
			}
		default:
			return end
		}
	}
	return end
}

// brokenAt returns the length of the escaped line break at i, however deeply escaped (\n, \\n), and 0 if there is
// none.
func brokenAt(s string, i int) int {
	j := slashes.run(s, i, i+maxSlashes)
	if j > i && j < len(s) && (s[j] == 'n' || s[j] == 'r') {
		return j + 1 - i
	}
	return 0
}

// tabbedAt returns the length of the escaped tab at i, and 0 if there is none.
func tabbedAt(s string, i int) int {
	j := slashes.run(s, i, i+maxSlashes)
	if j > i && j < len(s) && s[j] == 't' {
		return j + 1 - i
	}
	return 0
}

// lineStart reports whether i is the first place of its line, after spaces.
func lineStart(s string, i int) bool {
	for i > 0 && blanks[s[i-1]] {
		i--
	}
	return i == 0 || s[i-1] == '\n' || s[i-1] == '\r' ||
		i > 1 && s[i-2] == '\\' && (s[i-1] == 'n' || s[i-1] == 'r')
}

// lineEnd returns where the line that holds i ends.
func lineEnd(s string, i int) int {
	for !endsLine(s, i) {
		i++
	}
	return i
}

// endsLine reports whether a line ends at i, or the quoted string that holds it.
func endsLine(s string, i int) bool {
	return i >= len(s) || s[i] == '\n' || s[i] == '\r' || quotes[s[i]] || brokenAt(s, i) > 0
}
