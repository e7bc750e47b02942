package redact

import (
	"encoding/base64"
	"encoding/json"
	"strings"
)

const (
	minJWTPart   = 10   // bytes of the header and of the part after it
	maxJWTHeader = 2048 // bytes of the header that are decoded
	minSignature = 20   // bytes of a signature
	maxJWTParts  = 5    // an encrypted token has five, a signed one three, one cut short two
)

var jwts = detector{
	Doc:     "JSON Web Tokens whose header decodes, whole or cut short.",
	Anchors: []string{"eyJ"},
	at:      jwtAt,
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

// jwtAt takes a dotted run whose first part decodes to a header with an algorithm.
func jwtAt(t *scan, i, _ int) int {
	s := t.s
	if s[i:i+3] != "eyJ" || !startsWord(s, i) {
		return i + 1
	}
	dot := base64url.run(s, i, len(s))
	if dot >= len(s) || s[dot] != '.' {
		return dot
	}
	if !jwtHeader(s[i:dot]) && !jwtWhole(s, i, dot) {
		return i + 1 + max(0, strings.LastIndex(s[i+1:dot], "eyJ"))
	}
	end := dot
	for part := 1; part < maxJWTParts && end < len(s) && s[end] == '.'; part++ {
		end = foldedRun(s, joinedRun(s, base64url, end+1, len(s)))
	}
	if end-dot <= minJWTPart {
		return dot
	}
	t.hit("JWT", i, end)
	return end
}

// foldedRun returns where the part ends that breaks off at end, if the lines of a folded header go on with it.
func foldedRun(s string, end int) int {
	for range maxJoins {
		next := likelyJoin(s, end)
		stop := base64url.run(s, next, len(s))
		if next == 0 || !blanks[s[next-1]] || stop-next < minJWTPart || humps(s[next:min(stop, next+looked)]) < 2 {
			break
		}
		end = stop
	}
	return end
}

// jwtWhole reports whether the run at i, with a header that names no algorithm, is a token by its form: two objects of JSON
// and a signature.
func jwtWhole(s string, i, dot int) bool {
	second := base64url.run(s, dot+1, len(s))
	if second >= len(s) || s[second] != '.' || base64url.run(s, second+1, len(s))-second <= minSignature {
		return false
	}
	return jsonObject(s[i:dot]) && jsonObject(s[dot+1:second])
}

// jsonObject reports whether the part decodes to an object of JSON.
func jsonObject(part string) bool {
	if len(part) > maxJWTHeader {
		return false
	}
	text, err := base64.RawURLEncoding.DecodeString(part)
	return err == nil && json.Valid(text)
}

// jwtHeader reports whether part is the header of a token, by RFC 7515 a JSON object that names an algorithm, or by
// RFC 7519 a type.
func jwtHeader(part string) bool {
	if len(part) < minJWTPart || len(part) > maxJWTHeader {
		return false
	}
	header, err := base64.RawURLEncoding.DecodeString(part)
	return err == nil && containsAny(string(header), `"alg"`, `"typ"`)
}
