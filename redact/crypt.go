package redact

import "strings"

var cryptHashes = detector{
	Doc:     "Hashes of passwords whose prefix is too short to tell: the salt and the length of the digest do.",
	Anchors: cryptAnchors,
	at:      cryptAt,
	Kinds: []kind{{
		Label: "CRYPT_HASH",
		Doc:   "a hash of a password with its salt",
		Yes: []string{
			"ann:«$apr1$saltsalt$" + sampleDigest[:22] + "»",
			"bob:«$1$salt$" + sampleDigest[:22] + "»:1001:1001::/home/bob:/bin/sh",
			"enable secret 9 «$9$saltsaltsaltsa$" + sampleDigest + "»\n",
			"enable secret 8 «$8$saltsaltsaltsa$" + sampleDigest + "»\n",
			"«pbkdf2_sha256$600000$saltsaltsalt$" + sampleDigest + "=»",
			`{"hash": "«pbkdf2:sha256:600000$saltsalt$` + strings.Repeat("0f1e2d3c", 8) + `»"}`,
			"«scrypt:32768:8:1$saltsalt$" + strings.Repeat("0f1e2d3c4b5a6978", 8) + "»",
			`{"user_pass": "«$P$B` + sampleDigest[:30] + `»"}`,
			"$sha1 is «$sha1$40000$saltsalt$" + sampleDigest[:28] + "»",
		},
		No: []string{
			"it costs $1$ or $9$ or $8$ each, and $1$two$three",
			"awk '{print $1$2$3}' and $1$salt$short",
			"pbkdf2_sha256 is the default; scrypt:32768:8:1 are its parameters",
			"$apr1$<salt>$<hash>",
		},
	}},
}

// sampleDigest has the signs of a digest, in an order that no digest has.
const sampleDigest = "Qw7ErTy8UiOp9AsDf0GhJk1LzXc2VbNm3QaZx4SwEdC"

// A hashForm is the form in which a function writes the hash of a password: its prefix, parts that $ ends, and the digest.
type hashForm struct {
	prefix string
	parts  int // between the prefix and the digest; the last is the salt
	digest int // characters, the fewest
	exact  bool
}

// hashForms are of crypt(5), of Apache, of Cisco's IOS, of PHPass and Drupal, of Django and Werkzeug.
var hashForms = []hashForm{
	{prefix: "$1$", parts: 1, digest: 22, exact: true},
	{prefix: "$apr1$", parts: 1, digest: 22, exact: true},
	{prefix: "$P$", digest: 31, exact: true},
	{prefix: "$H$", digest: 31, exact: true},
	{prefix: "$S$", digest: 52, exact: true},
	{prefix: "$8$", parts: 1, digest: 43},
	{prefix: "$9$", parts: 1, digest: 43},
	{prefix: "$14$", parts: 2, digest: 22},
	{prefix: "$md5$", parts: 1, digest: 22},
	{prefix: "$md5,", parts: 2, digest: 22},
	{prefix: "$sha1$", parts: 2, digest: 28},
	{prefix: "pbkdf2_sha", parts: 3, digest: 28},
	{prefix: "pbkdf2:sha", parts: 2, digest: 40},
	{prefix: "scrypt:", parts: 2, digest: 40},
}

var cryptAnchors = func() (anchors []string) {
	for _, f := range hashForms {
		anchors = append(anchors, f.prefix)
	}
	return anchors
}()

var (
	saltBytes   = classOf("A-Za-z0-9./,=_:+-")
	digestBytes = classOf("A-Za-z0-9./+=")
)

// maxSalt is how long a part before the digest is.
const maxSalt = 64

// cryptAt goes over the parts up to the digest, and takes all from the prefix on.
func cryptAt(t *scan, i, k int) int {
	s, f := t.s, hashForms[k]
	at := i + len(f.prefix)
	for range f.parts {
		end := saltBytes.run(s, at, at+maxSalt)
		if end == at || end >= len(s) || s[end] != '$' {
			return i + 1
		}
		at = end + 1
	}
	if s[at:min(len(s), at+1)] == "$" { // Solaris has two
		at++
	}
	end := digestBytes.run(s, at, at+maxQuoted)
	for end > at && s[end-1] == '.' && end-at > f.digest {
		end--
	}
	if n := end - at; n < f.digest || f.exact && n != f.digest || standIn(s[at:end]) || !hasDigit(s[at:end]) && humps(s[at:end]) < 2 {
		return i + 1
	}
	t.hit("CRYPT_HASH", i, end)
	return end
}
