package reduce

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/ctx-mcp/ctx-mcp"
)

// sealed returns a state with its MAC.
func (j *job) sealed(s State) State {
	s.MAC = hex.EncodeToString(j.mac(s))
	return s
}

// checkSeal returns CodeConflict for a state that was changed, CodeInvalid for what is none. A state of version 1 had no MAC: it is refused,
// since nobody can say who wrote its digest. Nothing is lost by that: the messages that came with it carry the digest, which is known by
// its form and its artifacts.
func (j *job) checkSeal() error {
	s := *j.req.State
	switch {
	case s.Name == stateName && s.Version == 1:
		return ctxmcp.Errorf(ctxmcp.CodeConflict, "the state is of an earlier release, which did not seal it").
			WithHint("leave it out, and pass the messages that were returned with it, or the original ones: the next state goes on from there")
	case s.Name != stateName || s.Version != stateVersion:
		return ctxmcp.Errorf(ctxmcp.CodeInvalid, "state is not one that reduce_messages returned").
			WithHint("pass the state of the last call as it was, or leave it out")
	}
	if sum, err := hex.DecodeString(s.MAC); err != nil || !hmac.Equal(sum, j.mac(s)) {
		return ctxmcp.Errorf(ctxmcp.CodeConflict, "the state was changed, or is of another installation").
			WithHint("pass the state of the last call as it was; or leave it out, and pass the original messages")
	}
	return nil
}

// mac binds a state to the tenant. It is over the fields that are used, whatever form the caller wrote them in.
func (j *job) mac(s State) []byte {
	s.MAC = ""
	text, err := json.Marshal([]any{stateName, j.by.Tenant, s})
	if err != nil { // strings and numbers
		panic(err)
	}
	m := hmac.New(sha256.New, j.Key)
	m.Write(text)
	return m.Sum(nil)
}
