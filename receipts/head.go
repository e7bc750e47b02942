package receipts

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// head is the content of a signed head, a checkpoint in the tlog-checkpoint format: origin, size and root, a line each.
type head struct {
	origin string
	size   int64
	root   tlog.Hash
}

// originOf returns the name of a log by its first key.
func originOf(keyID string) string {
	return "ctx-mcp-receipts-" + strings.TrimPrefix(keyID, "sha256:")[:16]
}

func (h head) sign(s *signer) ([]byte, error) {
	text := fmt.Sprintf("%s\n%d\n%s\n", h.origin, h.size, h.root)
	return note.Sign(&note.Note{Text: text}, noteSigner{s})
}

// parseHead reads a head without checking its signature. It returns an error for a text that sign does not write.
func parseHead(signed []byte) (head, error) {
	bad := errors.New("the head is not of the form origin, size, root, signature")
	lines := strings.Split(string(signed), "\n")
	if len(lines) != 6 || lines[3] != "" || lines[5] != "" {
		return head{}, bad
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil || size < 0 || strconv.FormatInt(size, 10) != lines[1] {
		return head{}, bad
	}
	root, err := base64.StdEncoding.Strict().DecodeString(lines[2])
	if err != nil || len(root) != tlog.HashSize {
		return head{}, bad
	}
	prefix := "— " + lines[0] + " " // base64 of the key's hash and the signature follows
	sig, err := base64.StdEncoding.Strict().DecodeString(strings.TrimPrefix(lines[4], prefix))
	if !strings.HasPrefix(lines[4], prefix) || err != nil || len(sig) != 4+64 {
		return head{}, bad
	}
	return head{lines[0], size, tlog.Hash(root)}, nil
}

// openHead reads a head and checks its signature. It returns the one of the keys that signed it.
func openHead(signed []byte, keys []*signer) (head, *signer, error) {
	h, err := parseHead(signed)
	if err != nil {
		return h, nil, err
	}
	var known []note.Verifier
	for _, k := range keys {
		v, err := newVerifier(h.origin, k.public)
		if err != nil {
			return h, nil, err
		}
		known = append(known, noteSigner{v})
	}
	n, err := note.Open(signed, note.VerifierList(known...))
	if err != nil {
		return h, nil, errors.New("the head is not signed by a key that is trusted")
	}
	for i, v := range known {
		if v.KeyHash() == n.Sigs[0].Hash {
			return h, keys[i], nil
		}
	}
	return h, nil, errors.New("the head is not signed by a key that is trusted")
}

// sameHead reports whether two heads are of one log at one size, with one root.
func sameHead(a, b []byte) bool {
	p, q := bytes.SplitN(a, []byte("\n\n"), 2), bytes.SplitN(b, []byte("\n\n"), 2)
	return bytes.Equal(p[0], q[0])
}
