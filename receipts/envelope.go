package receipts

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// PayloadType is that of a receipt in its envelope.
const PayloadType = "application/vnd.ctx-mcp.receipt+json"

// seal signs a body and returns its envelope in canonical form, and the body's digest and signature.
func seal(ctx context.Context, s *signer, body Body) (envelope []byte, digest, signature string, err error) {
	payload, err := ijson.Canonical(body)
	if err != nil {
		return nil, "", "", err
	}
	signs, err := dsse.NewEnvelopeSigner(s)
	if err != nil {
		return nil, "", "", err
	}
	e, err := signs.SignPayload(ctx, PayloadType, payload)
	if err != nil {
		return nil, "", "", err
	}
	envelope, err = ijson.Canonical(e)
	return envelope, ctxmcp.DigestRef(payload), e.Signatures[0].Sig, err
}

// opened is an envelope that has been read, and not checked.
type opened struct {
	envelope dsse.Envelope
	payload  []byte
	body     Body
}

// open reads an envelope. It returns an error for any text that seal does not write: the same envelope has one spelling.
func open(text []byte) (opened, error) {
	var o opened
	if err := json.Unmarshal(text, &o.envelope); err != nil {
		return o, errors.New("it is not a DSSE envelope")
	}
	if len(o.envelope.Signatures) != 1 || o.envelope.PayloadType != PayloadType {
		return o, errors.New("it is not the envelope of a receipt with one signature")
	}
	strict := base64.StdEncoding.Strict()
	payload, err := strict.DecodeString(o.envelope.Payload)
	if err != nil {
		return o, errors.New("its payload is not base64")
	}
	if _, err := strict.DecodeString(o.envelope.Signatures[0].Sig); err != nil {
		return o, errors.New("its signature is not base64")
	}
	if again, err := ijson.Canonical(o.envelope); err != nil || !bytes.Equal(again, text) {
		return o, errors.New("the envelope is not in canonical form")
	}
	o.payload = payload
	return o, o.read()
}

// read reads the payload.
func (o *opened) read() error {
	if again, err := ijson.Canonical(json.RawMessage(o.payload)); err != nil || !bytes.Equal(again, o.payload) {
		return errors.New("the body is not in canonical form")
	}
	if err := json.Unmarshal(o.payload, &o.body); err != nil {
		return errors.New("the body is not that of a receipt")
	}
	if o.body.Version != version || o.body.ID == "" || o.body.Kind == "" {
		return errors.New("the body is of another version, or has no id or kind")
	}
	return nil
}

// check verifies the signature under the key that the envelope names.
func (o *opened) check(ctx context.Context, keys map[string]*signer) error {
	k, known := keys[o.envelope.Signatures[0].KeyID]
	if !known {
		return errors.New("it is signed by a key that is not trusted")
	}
	v, err := dsse.NewEnvelopeVerifier(k)
	if err != nil {
		return err
	}
	if _, err := v.Verify(ctx, &o.envelope); err != nil {
		return errors.New("its signature does not fit")
	}
	return nil
}
