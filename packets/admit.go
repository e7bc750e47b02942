package packets

import (
	"context"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/ctx-mcp/ctx-mcp"
	"github.com/ctx-mcp/ctx-mcp/redact"
	"github.com/ctx-mcp/ctx-mcp/schema/ijson"
)

// The metadata that this package reads.
const (
	piiKey    = "pii"    // boolean: the packet names people
	vaultKey  = "vault"  // object: fingerprint of a hidden secret -> where it is kept, such as vault:kv/ci#token
	schemaKey = "schema" // string: the name of the context schema that the rest of the metadata fits
)

// Admitted holds inputs that may be compiled.
type Admitted struct {
	Inputs   json.RawMessage // in canonical form
	Metadata map[string]json.RawMessage
	Schema   string // name of the context schema; empty: the kind's own
}

// placeholder is a hidden secret with its fingerprint, as package redact writes it.
var placeholder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[[A-Z0-9_]+:REDACTED#([a-z2-9]+)\]`) })

// vaultForm matches the name of a place where a secret may be kept.
var vaultForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(vault:|op://|secret://|keyvault:|arn:aws:secretsmanager:)[A-Za-z0-9_./:@#+-]{1,250}$`)
})

// Admit makes inputs fit to be compiled and sealed. It hides what the settings hide by now, and did not when it was stored. A hidden secret whose fingerprint metadata.vault names becomes the
// reference to where it is kept. Names of people are marked, hidden or refused, as the options say. What Seal still
// finds to be secret it refuses. It returns CodeDenied for people where they are refused, CodeInvalid for metadata that cannot
// be meant, or do not fit their schema.
func (s *Service) Admit(ctx context.Context, by ctxmcp.Caller, inputs json.RawMessage, metadata map[string]json.RawMessage) (Admitted, error) {
	said, err := s.admissible(ctx, metadata)
	if err != nil {
		return Admitted{}, err
	}
	flagged, vault := said.pii, said.vault
	if inputs, err = Canonical(ctx, inputs); err != nil {
		return Admitted{}, err
	}
	way := s.options().PII
	people := s.Personal.Pass(ctx, by.Tenant)
	texts, err := different(ctx, inputs)
	if err != nil {
		return Admitted{}, err
	}
	found, err := named(people, texts)
	if err != nil {
		return Admitted{}, err
	}
	if len(vault) > 0 || way == RedactPII && len(found) > 0 {
		if inputs, err = mapLeaves(ctx, inputs, func(l leaf) string { return admitText(people, l.text, way, vault) }); err != nil {
			return Admitted{}, err
		}
		if err := people.Err(); err != nil {
			return Admitted{}, err
		}
		if texts, err = different(ctx, inputs); err != nil {
			return Admitted{}, err
		}
	}
	if way == RejectPII && (flagged || len(found) > 0) {
		return Admitted{}, ctxmcp.Errorf(ctxmcp.CodeDenied, "the inputs name people (%s), and context.pii is reject", namesOf(found)).
			WithHint("leave that out, or have the operator set context.pii to redact or flag")
	}
	if inputs, err = s.shown(ctx, by.Tenant, inputs, texts); err != nil {
		return Admitted{}, err
	}
	metadata = maps.Clone(metadata)
	if metadata == nil {
		metadata = map[string]json.RawMessage{}
	}
	metadata[piiKey] = truth(flagged || len(found) > 0)
	return Admitted{inputs, metadata, said.schema}, nil
}

// named returns the labels of what names people in the strings of a value: a number that only looks like that of a card is
// none, and neither are two strings that only stand beside each other.
func named(people *redact.Pass, texts []leaf) ([]string, error) {
	found := map[string]bool{}
	for _, l := range texts {
		if people.Err() != nil {
			return nil, people.Err()
		}
		if isOurs(l.text) {
			continue
		}
		_, names := hidden(people, l.text)
		for _, n := range names {
			found[n] = true
		}
	}
	return slices.Sorted(maps.Keys(found)), people.Err()
}

// admitText returns a text as it may be compiled: with people hidden where they are to be, and with references to vaults.
func admitText(people *redact.Pass, text string, way PII, vault map[string]string) string {
	if way == RedactPII {
		text, _ = hidden(people, text)
	}
	return placeholder().ReplaceAllStringFunc(text, func(hidden string) string {
		if ref, ok := vault[placeholder().FindStringSubmatch(hidden)[1]]; ok {
			return ref
		}
		return hidden
	})
}

// hidden returns the text with what names people hidden, and the labels of what was found.
func hidden(people *redact.Pass, text string) (string, []string) {
	clean, found := people.Text(text)
	var names []string
	for _, f := range found {
		if redact.Personal(f.Label) {
			names = append(names, f.Label)
		}
	}
	if len(names) == 0 && people.Err() == nil {
		return text, nil
	}
	return clean, names
}

func namesOf(found []string) string {
	if len(found) == 0 {
		return "metadata.pii"
	}
	return strings.Join(found, ", ")
}

func truth(v bool) json.RawMessage {
	if v {
		return json.RawMessage("true")
	}
	return json.RawMessage("false")
}

// clean returns CodeInvalid, with where and the label, if the redactor would still hide something of the value. Each different string is looked at
// first, most of which are known from the packet before; where it stands is looked for only if something is found.
func (s *Service) clean(ctx context.Context, tenant string, canonical []byte) error {
	some, err := different(ctx, canonical)
	if err != nil {
		return err
	}
	hide := s.Redact.Pass(ctx, tenant)
	if !slices.ContainsFunc(some, func(l leaf) bool {
		return slices.ContainsFunc(l.readings(), func(text string) bool { return finds(hide, text) })
	}) {
		return nil
	}
	v, err := ijson.Decode(ctx, canonical)
	if err != nil {
		return err
	}
	leaves, err := leavesOf(ctx, v)
	if err != nil {
		return err
	}
	for _, l := range leaves {
		if hide.Err() != nil {
			return hide.Err()
		}
		for _, text := range l.readings() {
			if _, found := hide.Text(text); len(found) > 0 {
				where, _ := hide.Text(l.at.pointer()) // a name can be the secret
				if err := hide.Err(); err != nil {
					return err
				}
				return ctxmcp.Errorf(ctxmcp.CodeInvalid, "the packet would hold a secret at %s (%s)", ctxmcp.Clip(where, ctxmcp.MaxIDLength), labels(found)).
					WithHint("leave it out, or name where it is kept instead, such as vault:kv/ci#token")
			}
		}
	}
	return hide.Err()
}

// readings are the ways in which a string can be a secret: by itself, and by its name.
func (l leaf) readings() []string {
	if l.name == "" || len(l.text) > maxNamed || isOurs(l.text) {
		return []string{l.text}
	}
	return []string{l.text, l.name + ": " + l.text}
}

// maxNamed is how long a value may be, in bytes, for its name to tell that it is a secret.
const maxNamed = 512

// The lengths of what this system writes itself, in bytes.
const (
	digestLength = 64
	uuidLength   = 36
	dayLength    = len("2006-01-02T")
	leastOurs    = len("2006-01-02T15:04:05")
	mostOurs     = len(ctxmcp.DigestPrefix) + digestLength
)

// isOurs reports whether a text is a value that this system writes itself, random as it looks: a digest, an id, an instant.
func isOurs(text string) bool {
	n := len(text)
	if n < leastOurs || n > mostOurs {
		return false
	}
	return n == uuidLength && hasForm(text, "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh") || isInstant(text) ||
		isDigest(text) || isDigest(strings.TrimPrefix(text, ctxmcp.DigestPrefix))
}

func isDigest(text string) bool {
	return len(text) == digestLength && strings.Trim(text, "0123456789abcdef") == ""
}

func isInstant(text string) bool {
	return hasForm(text[:dayLength], "dddd-dd-ddT") && text[len(text)-1] == 'Z' && strings.Trim(text[dayLength:len(text)-1], "0123456789:.") == ""
}

// hasForm reports whether a text of the form's length has a digit for each d, a hexadecimal digit for each h, and the form's own sign elsewhere.
func hasForm(text, form string) bool {
	for i := range len(form) {
		switch c := text[i]; form[i] {
		case 'd':
			if c < '0' || c > '9' {
				return false
			}
		case 'h':
			if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
				return false
			}
		default:
			if c != form[i] {
				return false
			}
		}
	}
	return true
}

func labels(found []redact.Finding) string {
	var names []string
	for _, f := range found {
		names = append(names, f.Label)
	}
	return strings.Join(names, ", ")
}
