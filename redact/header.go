package redact

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

const (
	maxScheme   = 16  // bytes of the word between Authorization: and the credential
	maxBasic    = 512 // bytes of a Basic credential that are decoded
	minHeader   = 8   // bytes of a credential beside the word authorization
	curlContext = 256 // bytes before -u in which curl must stand
)

var authorizations = detector{
	Doc:     "Credentials of HTTP authentication: the header under any scheme, Bearer and Basic by themselves, curl -u.",
	Anchors: []string{"authorization", "bearer ", "basic ", "-u ", "--user "},
	at:      authorizationAt,
	Kinds: []kind{
		{
			Label: "BEARER_TOKEN",
			Doc:   "a credential of an Authorization header",
			Yes: []string{
				"Authorization: Bearer «hSjMN57CTjz-tS5GyX514LXM2F9tjW9a»",
				"authorization: token «683d7082c22ac7948d30d155d01d8e83551464f5»",
				`{"headers": {"Authorization": "Bearer «KQ8qUN85ETCyyQL_boT8E19E4PnE»", "Accept": "*/*"}}`,
				"curl -H 'Proxy-Authorization: ApiKey «a81f-77c2-90d4»' https://example.com",
				"it sent bearer «0a1B2c3D4e5F6a7B8c9D» twice",
				"Authorization=«9f8e7d6c5b4a39281706»",
			},
			No: []string{
				"Authorization: Bearer [REDACTED]",
				"Authorization: Bearer ${TOKEN}",
				"Authorization: Bearer <token>",
				"use bearer tokens for authorization. Authorization: see the chapter on roles.",
				"basic usage_of_the_configuration_file and bearer plants_of_the_field",
				`{"authorization_endpoint": "https://idp.example.com/oauth2/authorize", "token_type": "bearer"}`,
			},
		},
		{
			Label:    "BASIC_AUTH",
			Doc:      "a user and password of HTTP basic authentication",
			Unmarked: true, // of a short password the encoding is not short
			Yes: []string{
				"Authorization: Basic «ZGVwbG95OnFkVzZqSEQwbld1dA==»",
				`"Proxy-Authorization": "Basic «YWRtaW46OEwrTHBjUlQ5bw»"`,
				"sent basic «dXNlcjpodW50ZXIy» by mistake",
				"curl -sS -u admin:«b_deaWFO5» https://svc.example.com/health",
				"curl -u ann@example:«b_deaWFO5!» https://svc.example.com/health",
				"curl --user 'admin:«b_deaWFO5»' https://svc.example.com/health",
			},
			No: []string{
				"Basic authentication is disabled; basic knowledge of HTTP suffices.",
				"docker run -u 1000:1000 image",
				"curl -u admin:$PASSWORD https://svc.example.com",
			},
		},
	},
}

var (
	credential  = classOf("A-Za-z0-9._~+/=:|-")
	userBytes   = classOf("!#-&(-_a-~")
	schemeBytes = classOf("A-Za-z0-9-")
)

// authorizationAt looks at the anchors, in whose order the cases stand.
func authorizationAt(t *scan, i, k int) int {
	s, sp, ok := t.s, span{}, false
	after := i + len(t.anchor(k))
	switch {
	case k == 0:
		sp, ok = authorization(s, after)
	case !startsWord(s, i):
	case k == 1:
		sp, ok = bearer(s, after)
	case k == 2:
		sp, ok = basic(s, after)
	default:
		sp, ok = curlUser(s, i, after)
	}
	if !ok {
		return i + 1
	}
	t.hit(sp.label, sp.start, sp.end)
	return sp.end
}

// authorization returns the credential after the header's name: Authorization: [scheme] credential.
func authorization(s string, i int) (span, bool) {
	i = quotes.run(s, i, i+1)
	if i >= len(s) || s[i] != ':' && s[i] != '=' {
		return span{}, false
	}
	i = quotes.run(s, blanks.run(s, i+1, i+3), i+6)
	if word := schemeBytes.run(s, i, i+maxScheme); word > i && word < len(s) && s[word] == ' ' {
		if sp, ok := basic(s, word+1); ok && strings.EqualFold(s[i:word], "basic") {
			return sp, true
		}
		i = word + 1
	}
	if strings.HasPrefix(s[i:], "token=") {
		i = quotes.run(s, slashes.run(s, i+len("token="), i+maxScheme), i+maxScheme)
	}
	end := credential.run(s, i, i+looked)
	c := s[i:end]
	if len(c) < minHeader || reference(c) || standIn(c) || !hasDigit(c) {
		return span{}, false
	}
	return span{start: i, end: credential.run(s, end, len(s)), label: "BEARER_TOKEN"}, true
}

// bearer returns the credential after the word, which must look random since nothing else vouches for it.
func bearer(s string, i int) (span, bool) {
	end := credential.run(s, i, i+looked)
	if !random(s[i:end], 12) {
		return span{}, false
	}
	return span{start: i, end: credential.run(s, end, len(s)), label: "BEARER_TOKEN"}, true
}

// basic returns the credential after the word, if it decodes to user:password.
func basic(s string, i int) (span, bool) {
	i = blanks.run(s, i, i+8)
	end := base64Run.run(s, i, i+maxBasic)
	text, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(s[i:end], "="))
	_, password, _ := strings.Cut(string(text), ":")
	if err != nil || !utf8.Valid(text) || password == "" {
		return span{}, false
	}
	return span{start: i, end: end, label: "BASIC_AUTH"}, true
}

// curlUser returns the password of -u user:password on a command line of curl.
func curlUser(s string, i, after int) (span, bool) {
	if !strings.Contains(s[max(0, i-curlContext):i], "curl") {
		return span{}, false
	}
	start := quotes.run(s, blanks.run(s, after, after+8), after+9)
	colon := userBytes.run(s, start, start+looked)
	if n := strings.IndexByte(s[start:colon], ':'); n > 0 {
		colon = start + n + 1
	} else {
		return span{}, false
	}
	end := bareEnd(s, colon, len(s))
	if p := s[colon:end]; p == "" || reference(p) || standInWord(p) {
		return span{}, false
	}
	return span{start: colon, end: end, label: "BASIC_AUTH"}, true
}
