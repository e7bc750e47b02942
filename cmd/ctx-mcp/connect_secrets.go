package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ctx-mcp/ctx-mcp/connect"
	"github.com/ctx-mcp/ctx-mcp/gateway/credentials"
	"github.com/ctx-mcp/ctx-mcp/redact"
)

// seal keeps the secrets of the servers that move behind the gateway sealed, where there is a key that the gateway will have too, and says which they are.
// Else they stay in the file, which only its owner can read.
func (k *connecting) seal(place connect.Place, c connect.Client, b *connect.Behind) error {
	for _, name := range b.Remote() {
		fmt.Fprintf(k.sys.out, "if %s wants a sign-in: ctx-mcp gateway signin %s --servers %s\n", name, name, place.Shown(b.File))
	}
	r, err := newRedactor(nil, k.config)
	if err != nil {
		return err
	}
	secrets := b.Secrets(tells(r))
	if len(secrets) == 0 {
		return nil
	}
	var names []string
	for _, s := range secrets {
		names = append(names, s.Server+" "+wordsOf(s))
	}
	told := strings.Join(names, ", ")
	switch {
	case !k.config.EncryptionKeySource().IsSet() || k.sys.getenv("CTX_MCP_ENCRYPTION_KEY") != "":
		fmt.Fprintf(k.sys.out, "in the clear, in a file that only you can read: %s; set encryption.key_file before, and they are kept sealed\n", told)
		return nil
	case k.dryRun:
		fmt.Fprintf(k.sys.out, "would be kept sealed: %s\n", told)
		return nil
	}
	fmt.Fprintf(k.sys.out, "kept sealed: %s\n", told)
	return withApp(context.Background(), k.sys, k.config, func(a *app) error {
		wallet := a.credentials().Wallet
		for _, s := range secrets {
			name := sealedName(c, s.Server, s.Part, s.Name)
			if err := wallet.SetSecret(context.Background(), name, s.Value); err != nil {
				return err
			}
			b.Refer(s, name)
		}
		return nil
	})
}

// tells returns the test of whether a value is a secret, by its name or by itself.
func tells(r *redact.Redactor) func(name, value string) bool {
	return func(name, value string) bool {
		text, err := json.Marshal(map[string]string{name: value})
		masked, _ := r.Text(string(text))
		return err == nil && masked != string(text)
	}
}

// wordsOf says where a secret stands.
func wordsOf(s connect.Secret) string {
	switch n, _, _ := strings.Cut(s.Name, "."); s.Part {
	case "args":
		return "argument " + n
	case "url":
		return "address"
	}
	return s.Name
}

// sealedName returns the name of the secrets that connect has sealed; without parts the beginning of all of a client.
func sealedName(c connect.Client, parts ...string) string {
	return "connect/" + c.Name + "/" + strings.Join(parts, "/")
}

// bringBack forgets the servers behind the gateway, once the client has them again. Without a backup it has not: then they stay where they are, and that is said.
func (k *connecting) bringBack(place connect.Place, c connect.Client, b *connect.Behind, ch connect.Change) error {
	if len(b.Servers) > 0 && ch.Backup == "" {
		fmt.Fprintf(k.sys.out, "the servers that stood behind the gateway are in %s: no backup is there to bring them back from, so put them back by hand\n", place.Shown(b.File))
		return nil
	}
	if err := b.Remove(); err != nil {
		return err
	}
	wallet := credentials.Wallet{Dir: gatewayDir(k.config)}
	for _, name := range b.References(sealedName(c)) {
		if err := wallet.SetSecret(context.Background(), name, ""); err != nil {
			return err
		}
	}
	return nil
}
