package taint

import "testing"

// TestSecretsAmongMuchElse: of the output of a command that has secrets among much else, those count that stand under the name of one, in an address, or
// that nobody would make up; and nothing counts that the call itself gave.
func TestSecretsAmongMuchElse(t *testing.T) {
	const output = `NODE_OPTIONS=--max-old-space-size=4096
DEPLOY_TOKEN=dk-77qx2mlw8zt9
DATABASE_URL=postgres://app:pw88-Zq1-kk@db.example:5432/app
{"db_password": {"sensitive": true, "value": "pg81nlq0xz44"}, "zone": {"value": "eu-central-1"}}
SIGNING=x8Kq2LmZ71pQhT9wVb3n
DB_PASS=tr0ub4dor/a.b@c
MYSQL_PWD=kl-33.zz/81
PGPASSWORD=mn7-44.yy
ACCESS_KEY=AKZ9/77-QQ.81x
PRIVATE_KEY="-----BEGIN RSA PRIVATE KEY-----\nMIIEow/IBAA+KCAQEA1\n-----END RSA PRIVATE KEY-----"
PWD=/srv/build-12/app
PUBLIC_KEY=pk/11-open.22
SORT_KEY=order_id_2
BUILT=2026-11-02T08:00:11Z
`
	for text, want := range map[string]bool{
		"--max-old-space-size=4096":       false,
		"the token is dk-77qx2mlw8zt9":    true,
		"pw88-zq1-kk":                     true,
		"pg81nlq0xz44":                    true,
		"eu-central-1":                    false,
		"x8kq2lmz71pqht9wvb3n":            true,
		"tr0ub4dor/a.b@c":                 true,
		"kl-33.zz/81":                     true,
		"mn7-44.yy":                       true,
		"akz9/77-qq.81x":                  true,
		"miieow/ibaa+kcaqea1":             true,
		"-----begin certificate-----":     false,
		"cd /srv/build-12/app":            false,
		"pk/11-open.22":                   false,
		"sort by order_id_2":              false,
		"2026-11-02T08:00:11Z":            false,
		"postgres at db.example:5432/app": false,
	} {
		p := New()
		p.Act("a", []Call{{Tool: "shell", Parameters: map[string]any{"command": "env"}}}, nil)
		p.ReadsSecrets("a", true)
		p.Result("a", "shell", output, "", true)
		if got := p.HoldsSecret(text); got != want {
			t.Errorf("HoldsSecret(%q) = %v, want %v", text, got, want)
		}
	}
	p := New()
	p.Act("a", []Call{{Tool: "shell", Parameters: map[string]any{"command": "vault kv get kv/orders-db"}}}, nil)
	p.ReadsSecrets("a", false)
	p.Result("a", "shell", "path kv/orders-db made 2026-11-02\npassword hT9wq2LmZx71pQ", "", true)
	if p.HoldsSecret("kv/orders-db is of 2026-11-02") || !p.HoldsSecret("hT9wq2LmZx71pQ") {
		t.Error("the name of a secret counts as one, or the secret does not")
	}
}
