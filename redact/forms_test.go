package redact

import (
	"regexp"
	"strings"
	"testing"
)

// secretForms are ways in which secrets are written, by where they are met. What stands between « and » has to go,
// whatever the label, and all else to stay.
var secretForms = map[string][]string{
	"json": {
		`{"db":{"user":"app","password":"«Vq8!trumpet»","port":5432}}`,
		`{"credentials":[{"username":"ann","password":"«p4ssw0rd-Nine»"},{"username":"ben","password":"«Other#Pass7»"}]}`,
		`{ "passwd" : "«tin,can;7»" , "ok" : true }`,
		`{"secretAccessKey":"«k9sQ2mXv7LpR4tYw1ZbN8cJd5HfG3aEu6SiOoPxq»"}`,
		"{\n  \"clientSecret\": \"«f3Kd9-wQz_Lm21»\",\n  \"redirect_uri\": \"https://a.example.com/cb\"\n}",
		`{"level":"error","msg":"dial failed","dsn":"postgres://svc:«Bq7-lamp»@db:5432/x"}`,
		`{"config":"{\"api_key\":\"«9d8f7a6b5c4e3d2f»\"}"}`,
		`{"refresh_token":"«1//03xYzAbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_aa»","expires_in":3599}`,
		`["--password","«Tr0ub4dor»"]`,
		`{"env":[{"name":"API_TOKEN","value":"«q7W3e5R9t1Y2u4I6»"}]}`,
		`{"Key":"db_password","Value":"«glass-Onion-42»"}`,
	},
	"yaml": {
		"spring:\n  datasource:\n    username: app\n    password: «Kumquat88»\n",
		"auth:\n  client_secret: \"«8sd7f6g5h4j3k2l1»\"\n  scopes: [read]\n",
		"smtp: {host: mail, user: bot, password: «Zebra-9-piano»}\n",
		"api_key: '«af93-bd71-cc02»' # rotate\n",
		"services:\n  db:\n    image: postgres:16\n    environment:\n      POSTGRES_PASSWORD: «orchid77»\n      POSTGRES_USER: app\n",
		"    environment:\n      - MYSQL_ROOT_PASSWORD=«r00t-Mango»\n      - TZ=UTC\n",
		"private_key: |\n  -----BEGIN PRIVATE KEY-----\n  «MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj»\n  -----END PRIVATE KEY-----\n",
	},
	"env": {
		"SECRET_KEY_BASE=«0b1c2d3e4f5061728394a5b6c7d8e9f0»\nRAILS_ENV=production\n",
		"export STRIPE_SECRET=\"«whatEver-99x»\"\n",
		"DATABASE_URL=mysql://root:«Fjord!22»@127.0.0.1:3306/shop\n",
		"set DB_PASS=«Winter2024!»\r\n",
		"$env:API_KEY = \"«7c6b5a49-aa11»\"",
		"REDIS_URL=redis://:«sunny_day_5»@cache:6379/0",
		"JWT_SECRET=«a-very-long-secret-phrase-for-jwt»",
		"setenv MAIL_PASSWORD «turnip-43»",
		"ENV DB_PASSWORD=«copper_Kettle3»\nRUN make",
		"ARG NPM_TOKEN=«b1946ac92492d2347c6235b4d2611184»",
	},
	"ini": {
		"[client]\nuser=root\npassword=«mango&42»\n",
		"[default]\naws_access_key_id = «AKIA" + "QX7MZ4T9K2WPL5VD»\naws_secret_access_key = «Zk3pL8sVq2RtX7wYb9NcM4dJh6GfA1eUo5IiKxTz»\n",
		"[remote \"origin\"]\n\turl = https://ann:«c0ffee-Bean»@git.example.com/x.git\n",
		"spring.mail.password=«lemon!tart»\n",
		"ldap.bindpw: «Quartz_71»",
	},
	"header": {
		"X-API-Key: «1f2e3d4c5b6a79880f1e»\r\nHost: api.example.com\r\n",
		"Authorization: Bearer «mF_9.B5f-4.1JqM»\n",
		"authorization: Basic «YW5uOnN1bnNoaW5lOQ==»",
		"Proxy-Authorization: Basic «YmVuOlJpdmVyNzc=»",
		"Authorization: Token token=\"«0a9b8c7d6e5f41»\"",
		"X-Vault-Token: «hvs.CAESIJ1kQm7wYv3nZp9tRr5sXq2LbD8f»",
		"X-Auth-Token: «gAAAAABk2vQ7sXw9LpR4tYz1NbC8mJd5»",
		"Cookie: theme=dark; sessionid=«9xk2m4n6b8v0c1z3a5s7d9f1g3h5j7k9»; lang=en",
		"Set-Cookie: JSESSIONID=«8A7F6E5D4C3B2A190817263544536271»; Path=/; HttpOnly",
		"Private-Token: «glpat-Xk29sQm4vL7pRt1wYz8b»",
	},
	"query": {
		"GET /v1/data?api_key=«a8b7c6d5e4f3»&limit=10 HTTP/1.1",
		"https://example.com/cb?code=x&client_secret=«Wd93kfLs02mQ»&state=1",
		"https://h.example.com/p?access_token=«EAABsbCS1iHgBAKZCqW3»&fields=id",
		"https://x.blob.core.windows.net/c?sv=2022-11-02&sig=«kD8sJ2mQ9vX7zL4pR1tY6wB3nC5hG0fA%2BeU%3D»&se=2026",
		"password=«blue%20whale%217»&user=ann",
	},
	"connection": {
		"Server=tcp:db.example.com,1433;Database=x;User ID=app;Password=«Gr8-Tuba!»;Encrypt=true;",
		"mongodb+srv://app:«n3ptune-Ray»@cluster0.example.net/test?retryWrites=true",
		"amqp://guest:«rabbit_Hole8»@mq:5672/%2f",
		"host=db user=app password='«sp ace d»' sslmode=require",
		"jdbc:mysql://db:3306/x?user=app&password=«pl4net-X»&useSSL=true",
		"DefaultEndpointsProtocol=https;AccountName=acct;AccountKey=«q83vEjRWeJASNFZ4kLzR7X0mT2pV5yB8nC1hG4fAeU6=»;EndpointSuffix=core.windows.net",
		"Endpoint=sb://ns.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=«Xk7pQ2mV9sL4tR8wY1zB5nC3hG6fA0eU+jD=»",
		"ftp://ann:«b4nana-Boat»@files.example.com/x",
		"smtp://bot%40example.com:«kiwi-Fruit2»@mail.example.com:587",
		"sqlserver://sa:«Str0ng-Lion»@db:1433?database=x",
		"Data Source=db;Initial Catalog=x;uid=sa;pwd=«Moss-Green4»",
	},
	"pem": {
		"-----BEGIN RSA PRIVATE KEY-----\n«MIIEpAIBAAKCAQEA04up8hoqzS1+APIB0RhjXyObwHQnOzhAk5Bd7mhkSbPkyhP1\niWlX9HNavcydATJc1f0DpzF0u4zY8PY24RVoW8vk+bJANPp1o2IAkeajCaF3w9nf»\n-----END RSA PRIVATE KEY-----\n",
		"-----BEGIN OPENSSH PRIVATE KEY-----\n«b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gt\nZWQyNTUxOQAAACBY8Jn8Jh0vZ8pQe4mX3tK1sV7wR5yN2bL6cD9fG0hA4gAAAJhXk2p9»\n",
		"\"key\": \"-----BEGIN EC PRIVATE KEY-----\\n«MHcCAQEEIIGL3xk7vQ2mP9sR4tYw1ZbN8cJd5HfG3aEu6SiOoPxqoAoGCCqGSM49»\\n-----END EC PRIVATE KEY-----\\n\"",
	},
	"pii": {
		"Card: «4111 1111 1111 1111» exp 12/29",
		"card_number=«5555555555554444»",
		"SSN «536-90-4399» on file",
		"IBAN «GB82 WEST 1234 5698 7654 32» for refunds",
		"reach me at «ann.lee@example.org» please",
		"call «+1 (415) 555-0132» after six",
		"\"phone\": \"«+44 20 7946 0958»\"",
	},
	"shell": {
		"mysql -u root -p«Papaya77» shop",
		"PGPASSWORD=«plum-Jam8» psql -h db -U app",
		"curl -u ann:«Pepper!3» https://api.example.com",
		"curl -H \"X-Api-Key: «d41d8cd98f00b204»\" https://api.example.com",
		"curl -H 'Authorization: Bearer «0n3Tw0Thr33F0ur5»' https://api.example.com",
		"curl -d 'user=ann&password=«Cactus-5»' https://example.com/login",
		"docker login -u bot -p «dckr-Pw-991» registry.example.com",
		"sshpass -p '«Sail-boat6»' ssh ann@host",
		"vault login -method=userpass username=ann password=«Birch-tree2»",
		"export AWS_SECRET_ACCESS_KEY=«Zk3pL8sVq2RtX7wYb9NcM4dJh6GfA1eUo5IiKxTz»",
		"helm install x ./c --set db.password=«Maple99x» --wait",
		"redis-cli -a «Otter_55» ping",
		"kubectl create secret generic db --from-literal=password=«Heron-31x»",
		"wget --http-password=«Iris!44» https://x.example.com/f",
		"aws configure set aws_secret_access_key «Zk3pL8sVq2RtX7wYb9NcM4dJh6GfA1eUo5IiKxTz»",
		"gh auth login --with-token <<< «ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a»",
		"net use z: \\\\srv\\share /user:ann password=«Lynx77»",
		"ansible-playbook site.yml -e \"ansible_become_password=«Wolf-22b»\"",
	},
	"code": {
		"const apiKey = \"«sQ8k2Lm9Xv4Rt7Yw»\";",
		"String password = \"«Falcon#8»\";",
		"client = Client(api_key=\"«9f8e7d6c5b4a3f2e»\")",
		"let token: &str = \"«a9d8c7b6e5f40312»\";",
		"$password = '«Gecko!12»';",
		"var Password = \"«Ibis-88»\" // todo",
		"private static final String SECRET_KEY = \"«Jaguar_5_kite»\";",
		"options.Password = @\"«Koala\\9x»\";",
		"conn = psycopg2.connect(host='db', password='«Lemur-7q»')",
		"config.secret_key = '«b7e23ec29af22b0b4e41da31e868d572»'",
		"val dbPassword: String = \"«Marten77»\"",
		"defaults = { password: \"«Newt?55»\", user: \"x\" }",
		"#define WIFI_PASSWORD \"«Ocelot99»\"",
		"os.environ[\"API_TOKEN\"] = \"«z8y7x6w5v4u3t2s1»\"",
		"http.Header.Set(\"X-Api-Key\", \"«4e5f6a7b8c9d0e1f»\")",
		"client.login('ann', password: '«Puffin-3»')",
		":password => \"«Quail!8»\",",
		"password <- \"«Raven_17»\"",
		"(def api-key \"«e1d2c3b4a5968778»\")",
		"db_password := `«Stoat\"4»`",
	},
	"logs": {
		"2026-02-01 10:00:00 DEBUG auth - login user=ann password=«Tapir!9» ok=true",
		"time=2026-02-01T10:00:00Z level=debug msg=\"got token\" access_token=«q8w7e6r5t4y3u2»",
		"INFO connecting with postgresql://svc:«Urchin-6»@db/x?sslmode=disable",
		"##[debug]NPM_TOKEN: «npm_" + "aB3dE6gH9jK2mN5qR8tV1xY4zC7fG0iLpQwE»",
		"2026-02-01T10:00:00.1234567Z   env:\n2026-02-01T10:00:00.1234568Z   DB_PASSWORD: «Viper-44q»\n",
		"at login (auth.js:10): Error: bad credentials {\"password\":\"«Weasel*1»\"}",
		"panic: dial tcp: mysql://root:«Xerus-8»@10.0.0.1/x: refused",
		"[req] headers={'Authorization': 'Bearer «y7x6w5v4u3t2s1r0»', 'Accept': '*/*'}",
		"Warning: Using a password on the command line: --password=«Yak-31z»",
	},
	"formats": {
		"machine api.example.com\n  login ann\n  password «Zorilla5»\n",
		"//registry.npmjs.org/:_authToken=«npm_" + "Zx8Cv7Bn6Mm5Kk4Jj3Hh2Gg1Ff0Dd9Ss8AaQ»",
		"//r.example.com/:_password=«bXktc2VjcmV0LXBhc3M=»",
		"localhost:5432:shop:app:«Aardvark-3»\n",
		"users:\n- name: admin\n  user:\n    token: «eyJ" + "hbGciOiJSUzI1NiJ9.eyJpc3MiOiJrdWJlIn0.c2lnbmF0dXJlLW9mLXRoaXM»\n",
		"    client-key-data: «LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpNSUlFcEFJQkFBS0NBUUVB»\n",
		"<server><id>x</id><username>ann</username><password>«Badger-9»</password></server>",
		"<add name=\"Db\" connectionString=\"Server=db;User Id=sa;Password=«Camel-77»;\" />",
		"<property name=\"password\" value=\"«Dingo!5»\"/>",
		"variable \"db_password\" {\n  default = \"«Egret-12»\"\n}",
		"resource \"aws_db_instance\" \"x\" {\n  username = \"app\"\n  password = \"«Ferret_8x»\"\n}",
		"[database]\npassword = \"«Gibbon-4»\"\n",
		"| password | «Hyena!88» |",
		"CREATE USER app IDENTIFIED BY '«Impala9x»';",
		"ALTER USER app WITH ENCRYPTED PASSWORD '«Jackal-3»';",
		"INSERT INTO users (name, hash) VALUES ('ann', '«$2b$12$KIXQ8sV2mP9rT4wY7zB1nOeH5fG0aD3cL6jU8iE2qS4xW7vR1tZ9y»');",
		"SET PASSWORD FOR 'app'@'%' = PASSWORD('«Kudu-56!»');",
		"git clone https://oauth2:«glpat-Qx8Wm4Vk2Tr7Lp9Yz1Bn»@gitlab.example.com/x.git",
		"fernet_key = «cGxlYXNlLWRvLW5vdC11c2UtdGhpcy1rZXktMTIzNDU=»",
	},
}

// plainForms are texts that look like those and hold no secret.
var plainForms = []string{
	`{"next_cursor":"dXNlcjpVMDYxTkZUVDI6MTY3","has_more":true}`,
	`{"pageToken":"CAUQAA","nextPageToken":"Ci0KKwop8qOe0A7sY4mJ"}`,
	`{"id":"b1946ac9-2492-4d23-87c6-235b4d261118","request_id":"req_8sK2mQ9vX7zL4pR1"}`,
	"arn:aws:iam::123456789012:role/service-role/deploy",
	"sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
	`"integrity": "sha512-MDfK0sV8mQ2xT7wYzB1nOeH5fG0aD3cL6jU8iE2qS4xW7vR1tZ9yKpX3bN6mC0lJhA5gF8dS2aQwErTyUiOpLg=="`,
	"commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
	"golang.org/x/sys v0.20.0 h1:Od9JTbYCk261bKm4M/mw7AklTlFIIa0bIp9BgSm1S8Y=",
	"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
	"API_KEY=<your-api-key>\nTOKEN=${TOKEN}\nSECRET=$(cat secret.txt)\nPASSWORD=$PASSWORD\n",
	"const key = process.env.API_KEY; const s = config.get('secret');",
	"password = getpass.getpass()\ntoken = request.headers.get(\"X-Token\")\n",
	"api_key: \"{{ lookup('env', 'API_KEY') }}\"\n",
	"password: !Ref DbPassword\nsecret: !Sub '${Stack}-secret'\n",
	"    --- PASS: TestTokenRefresh/expired_token (0.01s)\n",
	"func TestPasswordReset(t *testing.T) { checkPassword(t, user) }",
	"if user.password != confirm_password: raise ValueError",
	"PasswordHasher, TokenStore and SecretManager are interfaces.",
	"the token bucket allows 100 requests; the secret to speed is caching",
	"password must contain at least one number and one symbol",
	"password_reset_url: https://example.com/reset\npassword_min_length: 12\ntoken_ttl: 3600\n",
	"type Config struct { Password string `json:\"password\"`; Token *string }",
	"password VARCHAR(64), token TEXT, secret_id INT REFERENCES secrets(id)",
	"SELECT password, token FROM users WHERE id = $1",
	"primary_key: user_id\npartition_key=tenant#42\nsort_key: created_at",
	"foreign key (user_id) references users(id)",
	"Press any key: continue; public key: ssh-ed25519",
	"idempotency_key: 7f9c24e8-3b12-4a5c-9c67-1d2e3f4a5b6c",
	"cache_key=v2-linux-node20-9f86d081884c7d659a2f",
	"kid: 2011-04-29\nkey_id: abcd1234\nauthor: Ann Lee\nauthority: example.com",
	"\"tokens\": {\"input\": 1024, \"output\": 256}, \"max_tokens\": 4096",
	"Order 4111 shipped; invoice 1234-5678; ref 2024-01-15-0001",
	"timestamp 1700000000000 and 20240115103000123 and 4.1111111111111111",
	"ISBN 978-3-16-148410-0, EAN 4006381333931",
	"version 1.2.3-4567 build 20240115.1; 10.0.0.1:8080; 192.168.100.200",
	"user@host:~$ ls; git@github.com:org/repo.git; icon@2x.png; @types/node@20.1.0",
	"https://example.com/auth/callback?state=xyz&redirect=%2Fhome",
	"http://localhost:8080/a:b@c is no login; see https://user@example.com/x",
	"secrets:\n  - db_password\n  - api_token\n",
	"run: npm publish\nenv:\n  NODE_AUTH_TOKEN: ${{ secrets.NPM_TOKEN }}\n",
	"--password-file /run/secrets/db --token-ttl 30m --key-length 2048",
	"throw new InvalidPasswordException(\"Wrong password\");",
	"Enter password: \nPassword: \nRepeat password:\n",
	"x-amz-request-id: 7A1B2C3D4E5F6G7H\netag: \"33a64df551425fcc55e4d42a148795d9f25f89d4\"",
	"traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
	"MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A is the beginning of a public key",
	"-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu1SU1LfVLPHCozMxH2Mo\n-----END PUBLIC KEY-----\n",
	"-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END CERTIFICATE-----\n",
	"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQDJ8n5s7 ann@laptop",
	"known_hosts: |1|F1E1KeoE/eEWhi10WpGv4OdiO6Y=|3988QV0VE8wmZL7suNrYQLITLCg= ssh-rsa",
	"class=\"token keyword\" data-key=\"item-42\" aria-label=\"Show password\"",
	"<input type=\"password\" id=\"password\" placeholder=\"Password\" autocomplete=\"current-password\">",
	"<label for=\"password\">Password</label><password-field/>",
	"keyboard, monkey, turkey, passport, passage, compass, bypass, tokenize, secretary",
	"error: secret \"db-credentials\" not found; token has expired; key not found: foo",
	"W3siaWQiOjEsIm5hbWUiOiJhIn0seyJpZCI6MiwibmFtZSI6ImIifV0=",
}

func TestSecretsGoInEveryForm(t *testing.T) {
	r := New(nil)
	for form, list := range secretForms {
		for _, sample := range list {
			text, _, secrets := parseSample(t, "X", sample)
			pattern := regexp.MustCompile(`«[^»]*»`).ReplaceAllString(regexp.QuoteMeta(sample), `\[[A-Z0-9_]+:REDACTED\]`)
			got, _ := r.Text(text)
			if !regexp.MustCompile("(?s)^" + pattern + "$").MatchString(got) {
				t.Errorf("%s: Text(%q)\n      = %q", form, text, got)
			}
			for _, in := range []string{encode(t, text), "before\n" + text + "\nafter", "  " + strings.ReplaceAll(text, "\n", "\n  ")} {
				got, _ := r.Text(in)
				checkGone(t, form, got, secrets)
			}
		}
	}
}

func TestPlainTextStaysInEveryForm(t *testing.T) {
	r := New(nil)
	for _, text := range plainForms {
		for _, in := range []string{text, encode(t, text), "before\n" + text + "\nafter"} {
			if got, _ := r.Text(in); got != in {
				t.Errorf("Text(%q)\n      = %q", in, got)
			}
		}
	}
}
