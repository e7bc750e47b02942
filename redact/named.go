package redact

import "strings"

var namedValues = detector{
	Doc: "Values that stand after a name that says what they are: key=value, key: value, JSON, headers, elements, " +
		"\"the password is\". Only the value goes.",
	Anchors: nameStems,
	at:      namedAt,
	Kinds: []kind{
		{
			Label: "PASSWORD",
			Doc:   "a value that is named as a password",
			Yes: []string{
				"DB_PASSWORD=«PT6pf*!RD~#~6yAp»",
				"export PGPASSWORD='«two words 9»'",
				`{"username": "root", "password": "«Saffron.Kettle78?»"}`,
				`{"password": "«quote\"and\\back9»", "ok": 1}`,
				`{"body": "{\"user\": \"bob\", \"newPassword\": \"«N4py?d#4Wja»\"}"}`,
				"Server=db;User ID=sa;Password=«kiG3A+8_N-!C2R»;Encrypt=True;",
				"host=db port=5432 password=«O~SB#ub5Wv!» dbname=users",
				"grant_type=password&username=bob&password=«GCpW8p_M8G269x»&scope=all",
				"<user><name>bob</name><password>«Yz-ASaOD1idmA»</password></user>",
				"os.environ[\"SMTP_PASS\"] = \"«swordfish»\"",
				"db:\n  user: app\n  password: «swordfish»\n",
				"The admin password is «hunter2», I think.",
				"login failed for bob, password was \"«MonkeyNimbus94?»\"",
				"- **Password:** `«hunter2»`",
				"machine api.example.com login bob password «H-L3i0sAqYo!»",
				"ALTER ROLE app WITH PASSWORD '«u9?-TbSIOc»';",
				"./app --user bob --password=«0*LC=wK?L7» --dry-run",
				"config = {'passphrase': '«correct horse battery staple»'}",
				"backup_passphrase: «correct horse battery staple»\nhost: x\n",
				"Passphrase: «lamp-orbit-velvet-crate-mango»\nhost: x\n",
				"password=«abc[PASSWORD:REDACTED]def»",
				"define('DB_PASSWORD', '«two-words-9»');",
				"<password>\n    «hunter2»\n</password>",
				`{"name": "DB_PASS", "value": "«zJMc+yM*^1GD»", "type": "plain"}`,
				"env:\n- name: DB_PASSWORD\n  value: \"«swordfish»\"\n- name: X\n  value: y\n",
				`<add key="DbPassword" value="«swordfish»"/>`,
				`<property name="javax.password">«swordfish»</property>`,
				`[{"value": "«swordfish»", "name": "password"}]`,
				"password: >-\n  «sword-fish 9»\nuser: bob\n",
				"The password for bob is «hunter2».",
				"The wifi password is «Sunny-Day-42» for guests",
				"the admin password is «swordfish-delta-9»",
				"password: str = \"«hunter2»\"",
				"Driver={SQL Server};UID=sa;PWD={«Tulip;77»}",
				"password = \"\"\"«three quotes 3»\"\"\"",
				`{"passwords": {"prod": "«Tulip77rain»", "dev": "«Rain77tulip»"}}`,
				"passwords:\n  prod: «Tulip77rain»\n  dev: «Rain77tulip»\n",
				"<passwords><db>«Tulip77rain»</db></passwords>",
				"password2=«Tulip77»\nsmtp_password_tmp = «Tulip77rain»\n",
				"password = \\\n    «Tulip77»\n",
				"user,password,host\nann,«Tulip77»,db-1\nben,«swordfish»,db-2\n",
				"user\tpassword\nann\t«Tulip77»\n",
				"| user | password |\n|---|---|\n| ann | `«Tulip77»` |\n",
				"+----+----------+\n| id | password |\n+----+----------+\n|  1 | «Tulip77»  |\n+----+----------+\n",
				" id | password \n----+----------\n  1 | «Tulip77»\n(1 row)\n",
				"\"user\",\"password\"\n\"ann\",\"«Tulip,77!x»\"\n",
				"<tr><th>Password</th><td>«Tulip77»</td></tr>",
				`<input type="password" name="x" value="«Tulip77»">`,
				"pass\u200bword: «Tulip77»",
				"ｐａｓｓｗｏｒｄ＝«Tulip77»",
				`{"password": "«Passwort77!»", "passphrase": "«mot de passe 99x»"}`,
				"PASSWORD=«Tulip77-${X}»\n",
				`7,"{""user"": ""bob"", ""password"": ""«swordfish»""}"`,
			},
			No: []string{
				"the password policy requires 12 characters",
				"Passwords must be at least 12 characters. The password is required.",
				"the password is case-sensitive and the password is base64-encoded",
				"Password: <redacted>",
				`{"password": "********", "passwd": null, "pwd": ""}`,
				"password: ${DB_PASSWORD}\nPASSWORD=%DB_PASSWORD%\nPASS=$PGPASS\n",
				"password := os.Getenv(\"DB_PASSWORD\")\nif password == \"\" { return errNoPassword }",
				"interface Login { username: string; password: string; }",
				"CREATE TABLE users (id INT, password VARCHAR(255) NOT NULL);",
				"var n={password:e.p,token:t.k};return n.password",
				"PWD=/home/bob OLDPWD=/tmp PWD=dir",
				"--- PASS: TestAddress/ipv4 (0.00s)",
				"{\"password\": {\"type\": \"string\", \"minLength\": 12}}",
				"password: changeme",
				"Password: a word that nobody else knows",
				"passphrase: asked once on start\npassphrase: optional string in small letters\nPassphrase: never leaves this machine",
				"password=[PASSWORD:REDACTED#k7m2q9xa], and no more",
				"password_file: /run/secrets/db\npassword=/run/secrets/db",
				"connect(user=user, password=user_password)",
				`{"forgot_password": "Forgot?", "password": "Your password"}`,
				`t("password", "Password is too short"); labels = ["password", "username"]`,
				"- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: db\n      key: password\n",
				`{"name": "password", "type": "string"}, {"name": "user", "value": "bob"}`,
				`<input type="password" name="password">`,
				`{"filename": "(string)", "password": "(string) "}`,
				"user,password,role\nann,expired,admin\nben,ok,reader\n",
				"| Field | Type |\n|---|---|\n| password | varchar(60) |\n",
				"| User | Password |\n|---|---|\n| ann | ******** |\n",
				`{"password": {"type": "string", "pattern": "^(?=.*[A-Z])(?=.*[0-9]).{8,}$", "minLength": 8}}`,
				"secrets:\n  db_password:\n    file: ./db_password.txt\n  api:\n    external: true\n",
				"password_updated_at: 2024-05-01T12:00:00Z\npassword_algorithm: SHA256withRSA\n",
				"JWT_PASSWORD=${JWT_PASSWORD:?required}",
				"Password: forgotten?\n",
				`{"password": "The password must be at least 12 characters long"}`,
				`{"login": "Anmelden", "password": "Mot de passe", "passwordConfirm": "Confirmer le mot de passe"}`,
				`"password": "Passwort (8+ Zeichen)", "pwd": "Passwort für {user}"`,
				"login.password=Wachtwoord\nlogin.submit=Inloggen\n",
				"password: \"prefix-{{ env }}-{{ secret }}\"\nDB_PASSWORD=`cat /run/secrets/db`\n",
				`{"password": "[parameters('adminPassword')]"}, {"password": "@pipeline().parameters.pw2"}, {"password": "$.password"}`,
				"password=[[ .db_password ]]\nPASSWORD=YOUR_PASSWORD_123\n",
			},
		},
		{
			Label: "SECRET",
			Doc:   "a value that is named as a secret",
			Yes: []string{
				"client_secret=«yi3ay6WpXSnTSNr4»&code=ok",
				`{"clientSecret": "«selN279I5aTuf0Iq»"}`,
				"SECRET_KEY = '«1y&rwjwks!s0_fiqs1nd(oqf)»'\nDEBUG = True\n",
				"aws_secret_access_key = «wJalrXUtnFEMI/K7MDENG/bPxRfiCYsampleKEY9»",
				"client secret: «8f3kq0zx»",
				"secret key (hex): «0f1e2d3c4b5a69788796a5b4c3d2e1f0»",
				"client_secret:\n  «a1b2c3d4e5f6a7b8c9d0e1f2»\n",
				"otpauth://totp/ACME:bob?secret=«BO65VIQEX6NGZAIF»&issuer=ACME",
			},
			No: []string{
				"my secret ingredient is cinnamon",
				"The secret: practise every day, and the token of appreciation is yours.",
				"secret santa list: 1) socks 2) tea",
				"secretName: my-db-credentials\nsecretKeyRef:\n  name: app-secrets\n  key: db-password\n",
				"secret: !vault |\n  see vars/secrets.yml\n",
				"arn:aws:secretsmanager:us-east-1:123456789012:secret:prod/db-VQO4Gm",
				"SYS_MEMFD_SECRET = 447\nsecret := []byte{0x00}\nSecret: Bug4Secret{1},",
				"self.secret_key = settings.get('SECRET_KEY', default=None)",
				"secret: {{ .Values.secret }}",
			},
		},
		{
			Label: "API_KEY",
			Doc:   "a value that is named as an API key",
			Yes: []string{
				"api_key: '«oEycvwdCXlq8BVLz»'",
				`{"apiKey": "«ff6a661950d8ef23b0b736de»", "name": "x"}`,
				"X-Api-Key: «aGH1AYKURZy8vmNAOKw2»\nAccept: text/html",
				"The API key is «a81f77c290d4».",
				"run --api-key «a81f77c290d4» --verbose",
				"api_key_used: «a81f77c290d4a81f77c290d4»",
				"name,api_key\nann,«a81f77c290d4e5f6»\n",
				"https://api.example.com/v1/items?apikey=«5f2d9c81ab»&page=2",
			},
			No: []string{
				"api_key: YOUR_API_KEY_HERE",
				`{"apiKey": "sk-...f3Qx"}`,
				"api_key scoping, and apiKey: process.env.API_KEY",
				"api_key_id: 12345678-aaaa",
			},
		},
		{
			Label: "TOKEN",
			Doc:   "a value that is named as a token, key or signature and looks like one",
			Yes: []string{
				`{"access_token": "«0Gq3xv9Lw2»", "token_type": "bearer"}`,
				"//registry.example.com/:_authToken=«c655390e-005e-423c-be37-1c5455f96ea8»",
				"token: «b3JkaW5hcnkgd29yZHMgaW4gYmFzZTY0»",
				"X-Auth-Token: «defb66e2850c716b2d3a8bab»",
				"auth_token_v2: «defb66e2850c716b2d3a8bab»",
				`{"tokens": {"ci": "«defb66e2850c716b2d3a8bab»", "input": 1024}}`,
				"var deployToken string = \"«a3ce105be825be918d1682516348e988»\"",
				"$deployToken .= '«a3ce105be825be918d1682516348e988»';",
				"System.setProperty(\"DEPLOY_TOKEN\", \"«a3ce105be825be918d1682516348e988»\")",
				"AccountName=st1;AccountKey=«MZchER6Xm2y68Y/vFCOGVwo5mqUinlHIU4ag==»;EndpointSuffix=core",
				"https://b.example.com/k?X-Amz-Expires=900&X-Amz-Signature=«2b3af4a01d4803815bdc2a9e»",
				`{"auths": {"registry.example.com": {"auth": "«Ym9iOnFYcCV3YTQtbVV4Zg==»"}}}`,
			},
			No: []string{
				"token: see docs",
				"the access token expires after an hour",
				"invalid_token: The access token expired",
				`{"next_page_token": "2ByM6f4xKJoRU1aZzNxH4h6OVHWxakztjZHGY-dRwXe3aQEO", "items": [1, 2]}`,
				`{"usage": {"prompt_tokens": 4351}, "max_tokens": 4096, "tokenizer": "cl100k_base_v2_with_special"}`,
				"const token = await getAccessToken(session.user.identifier);",
				"auth: enabled\ntoken_bucket: capacity=100",
				"Error: unexpected token '}' in JSON at position 3624",
				"deploy --token ${{ secrets.DEPLOY_TOKEN }}",
				`{"signature": "bm90IGEgc2VjcmV0LCBqdXN0IGEgc2lnbmF0dXJl"}`,
			},
		},
		{
			Label: "KEY",
			Doc:   "a value that is named as a private or encryption key",
			Yes: []string{
				"ENCRYPTION_KEY=«M5Qy5vwEnpNuW3M1RUmumDDhcp3I02»",
				`{"privateKey": "«c2FtcGxlLXByaXZhdGUta2V5»"}`,
				"the private key «0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318» is hers",
				"AES key: «8f3a1c5e7b9d2f4a6c8e0b1d3f5a7c9e»",
			},
			No: []string{
				"PrivateKey: testP256PrivateKey,\nrecipientPrivateKey = k\nA_PRIVATE_KEY = 0x3",
				"private_key: /etc/ssl/private/server.key",
				"public_key: c2FtcGxlLXB1YmxpYy1rZXktMTIzNDU2",
				"cache_key: 0f8fad5bd9cb469fa16570867728950e",
				"the registry key 0x80000002, key code 65, AES key length: 256 bits",
			},
		},
	},
}

// nameStems are strings of which every name of a secret holds one. They lead to the identifiers worth judging.
var nameStems = []string{"pass", "pwd", "pword", "secret", "key", "token", "auth", "jwt", "credential", "sig", "kennwort", "senha", "wachtwoord",
	"identified by",
	"bindpw", "rootpw", "psk", "mnemonic", "phrase"}

// namedAt widens the stem to the identifier that holds it, and looks at the text after it if it is the name of a secret.
func namedAt(t *scan, i, k int) int {
	s, start := t.s, i
	for start > 0 && nameBytes[s[start-1]] {
		start--
	}
	if start > 0 {
		if n := placeholderLen(s[start-1:]); n > 0 {
			return start - 1 + n
		}
	}
	start, end := escaped(s, start), nameBytes.run(s, i+len(nameStems[k]), len(s))
	name := key{start: start, end: end, phrase: phraseStart(s, start), path: pathStart(s, start)}.judgedOnce(s)
	if !name.known {
		if s[end-1]|0x20 == 's' {
			t.children(name)
		}
		return end
	}
	sp, ok := namedValue(s, name)
	if !ok {
		sp, ok = pairedValue(s, name)
	}
	if !ok {
		sp, ok = valueBelow(s, name)
	}
	t.column(name)
	if !ok {
		t.children(name)
		return end
	}
	t.hit(sp.label, sp.start, sp.end)
	return max(end, sp.end)
}

// phraseStart returns where the phrase begins that ends in the identifier at i: up to two words before it, one space
// apart.
func phraseStart(s string, i int) int {
	for range 2 {
		start := i - 1
		for start > 0 && start > i-maxKey && nameBytes[s[start-1]] {
			start--
		}
		if start < 0 || start == i-1 || s[i-1] != ' ' {
			break
		}
		i = escaped(s, start)
	}
	return i
}

// pathStart returns where the part of a path begins that a full stop parts from the identifier at i; i, if there is none.
func pathStart(s string, i int) int {
	start := i - 1
	for start > 0 && i-start < maxKey && nameBytes[s[start-1]] {
		start--
	}
	if start < 0 || s[i-1] != '.' || start == i-1 {
		return i
	}
	return escaped(s, start)
}

// escaped returns where an identifier that stands at i really begins: the n of \n and the u0026 of \u0026 are no part
// of it.
func escaped(s string, i int) int {
	switch {
	case i == 0 || s[i-1] != '\\':
		return i
	case s[i] == 'u' && hexDigits.run(s, i+1, i+5) == i+5:
		return i + 5
	case s[i] == 'n' || s[i] == 'r' || s[i] == 't' || s[i] == 'b' || s[i] == 'f':
		return i + 1
	}
	return i
}

// namedValue returns the secret value that follows the key.
func namedValue(s string, k key) (span, bool) {
	form, at := separator(s, k.end)
	if form == none || form == colon && k.start > 0 && s[k.start-1] == ':' { // part of a name, as of arn:aws:secret:x
		return span{}, false
	}
	n, ok := k.judge(s)
	if !ok {
		return span{}, false
	}
	v := valueAt(s, continued(s, at), form)
	if start, end, ok := braced(s, k, v); ok {
		return span{start: start, end: end, label: n.label}, true
	}
	if end, ok := passphrase(s, n, v); ok {
		return span{start: v.start, end: end, label: n.label}, true
	}
	if v.start == v.end || !n.takes(s, k, v) {
		return span{}, false
	}
	if !v.quoted {
		v.end = bareEnd(s, v.start, len(s))
	}
	return span{start: v.start, end: v.end, label: n.label}, true
}

// braced returns the value between braces of a connection string: PWD={x}.
func braced(s string, k key, v value) (start, end int, ok bool) {
	if v.start+2 >= len(s) || !v.tight || v.quoted || s[v.start] != '{' || k.start == 0 || s[k.start-1] != ';' {
		return 0, 0, false
	}
	start = v.start + 1
	end = strings.IndexAny(s[start:min(len(s), start+maxKey)], "}\n")
	if end < 4 || s[start+end] != '}' || reference(s[start:start+end]) || nameBytes.run(s, start, start+end) == start+end && !hasDigit(s[start:start+end]) {
		return 0, 0, false
	}
	return start, start + end, true
}
