package redact

import (
	"encoding/base64"
	"strings"
)

const (
	minJWTPart   = 10   // bytes of the header and of what follows it
	maxJWTHeader = 2048 // bytes of the header that are decoded
	maxJWTParts  = 5    // an encrypted token has five, a signed one three, one cut short two
)

var jwts = detector{
	Doc:  "JSON Web Tokens whose header decodes, whole or cut short.",
	find: findJWTs,
	Kinds: []kind{{
		Label: "JWT",
		Doc:   "a JSON Web Token",
		Yes: []string{
			"Bearer «" + "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9" + ".eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlLW9mLXRoZS1zYW1wbGU»",
			"auth ok jwt=«" + "eyJ0eXAiOiJKV1QiLCJhbGciOiJub25lIn0" + ".eyJzdWIiOiJzYW1wbGUifQ.» user=41",
			"cut short: «" + "eyJhbGciOiJSUzI1NiIsImtpZCI6InNhbXBsZSJ9" + ".eyJpc3MiOiJodHRwczovL2lkcC5leGFtcGxlLm9y»",
		},
		No: []string{
			`{"nextCursor": "eyJpZCI6IDE0MDAwMiwgImRpciI6ICJuIn0="}`,
			"the header eyJhbGciOiJIUzI1NiJ9 alone is public",
			"eyJpZCI6MTQwMDAyfQ.eyJpZCI6MTQwMDAyfQ has no algorithm",
		},
	}},
}

var jwtStart = newLiterals(false, "eyJ")

// findJWTs takes a dotted run whose first part decodes to a header with an algorithm.
func findJWTs(s string, hit func(span)) {
	jwtStart.each(s, func(i, _ int) int {
		if !startsWord(s, i) {
			return i + 1
		}
		dot := base64url.run(s, i, i+maxJWTHeader)
		if dot-i < minJWTPart || dot >= len(s) || s[dot] != '.' || !jwtHeader(s[i:dot]) {
			return i + 1
		}
		end := dot
		for part := 1; part < maxJWTParts && end < len(s) && s[end] == '.'; part++ {
			end = base64url.run(s, end+1, len(s))
		}
		if end-dot <= minJWTPart {
			return dot
		}
		hit(span{start: i, end: end, label: "JWT"})
		return end
	})
}

// jwtHeader reports whether part is the header of a token, by RFC 7515 a JSON object that names an algorithm.
func jwtHeader(part string) bool {
	header, err := base64.RawURLEncoding.DecodeString(part)
	return err == nil && strings.Contains(string(header), `"alg"`)
}
