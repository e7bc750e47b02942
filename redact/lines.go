package redact

import "strings"

var passwordLines = detector{
	Doc:     "Passwords at their place in lines without keys: .pgpass, Oracle's user/password@host.",
	Anchors: []string{":5432:", ":5433:", ":6432:", ":*:", "jdbc:oracle:thin:", "sqlplus "},
	at:      passwordLineAt,
	Kinds: []kind{{
		Label: "LINE_PASSWORD",
		Doc:   "a password at its place in a line",
		Yes: []string{
			"db.example.com:5432:users:app:«swordfish»\n",
			"*:*:*:app:«sword\\:fish 9»\nlocalhost:5433:app:bob:«hunter2»",
			"jdbc:oracle:thin:scott/«tiger9»@//db.example.com:1521/orcl",
			"sqlplus scott/«tiger9»@orcl",
		},
		No: []string{
			"listening on 127.0.0.1:5432: ready, port:5433:ok",
			"0.0.0.0:5432:5432",
			"jdbc:oracle:thin:@//db.example.com:1521/orcl",
			"sqlplus /nolog",
		},
	}},
}

var pgField = classOf("!-9;-~")

// passwordLineAt looks at the fields around the anchor: of .pgpass host:port:database:user:password, of Oracle
// user/password@.
func passwordLineAt(t *scan, i, k int) int {
	s, after := t.s, i+len(t.anchor(k))
	if k >= 4 {
		return t.oracleUser(after)
	}
	start := i
	for start > 0 && i-start < maxDomain && pgField[s[start-1]] {
		start--
	}
	if start == i {
		return i + 1
	}
	database := pgField.run(s, after, after+maxKey)
	if database == after || database >= len(s) || s[database] != ':' {
		return i + 1
	}
	user := pgField.run(s, database+1, database+1+maxKey)
	if user == database+1 || user >= len(s) || s[user] != ':' {
		return i + 1
	}
	end := user + 1
	for end < len(s) && end < user+maxQuoted && !endsLine(s, end) {
		end++
	}
	for end < len(s) && s[end-1] == '\\' { // of the quote that ends the line
		end--
	}
	if text := s[user+1 : end]; !reference(text) && !standInWord(text) {
		t.hit("LINE_PASSWORD", user+1, end)
	}
	return end
}

// oracleUser takes the password of the user that begins at i.
func (t *scan) oracleUser(i int) int {
	s := t.s
	slash := wordBytes.run(s, i, i+maxKey)
	end := bareEnd(s, slash, slash+maxUserInfo)
	if slash == i || slash >= len(s) || s[slash] != '/' {
		return i
	}
	at := strings.LastIndexByte(s[slash:end], '@')
	if at < 2 {
		return i
	}
	if text := s[slash+1 : slash+at]; !reference(text) && !standInWord(text) {
		t.hit("LINE_PASSWORD", slash+1, slash+at)
	}
	return slash + at
}

var commandLines = detector{
	Doc: "Passwords in the options of well-known commands, whose names do not say so.",
	Anchors: []string{"mysql", "mariadb", "sshpass", "redis-cli", "docker login", "podman login", "ldapsearch", "ldapmodify",
		"smbclient", "rabbitmqctl", "openssl", "htpasswd", "snmpwalk", "az login", "mosquitto_", "sqlcmd"},
	at: commandAt,
	Kinds: []kind{{
		Label: "OPTION_PASSWORD",
		Doc:   "a password in an option of a command",
		Yes: []string{
			"mysql -h db -u root -p«hunter2» users",
			"mysqldump --host=db -uroot -p'«hunter2»' users > out.sql",
			"sshpass -p «swordfish» ssh web-1",
			"redis-cli -h cache -a «hunter2» ping",
			"docker login -u bob -p «hunter2» registry.example.com",
			"ldapsearch -x -D cn=admin -w «swordfish» -b dc=x",
			"smbclient //srv/share -U bob%«hunter2»",
			"openssl rsa -in k.pem -passin pass:«swordfish»",
			"htpasswd -b .htpasswd bob «hunter2»",
			"az login --service-principal -u app -p «Zk8~hunter2»",
		},
		No: []string{
			"mysql -u root -p users",
			"mysql -p$PASS -P 3306 -h db",
			"docker login -u bob --password-stdin",
			"sshpass -e ssh web-1",
			"redis-cli -p 6379 ping",
			"openssl enc -pass env:SECRET",
			"mysql is a database; -p is the flag of the port, or not",
		},
	}},
}

// A flag is an option whose value is a password.
type flag struct {
	text  string
	apart bool // a space stands between flag and value; without, none
	skip  int  // words between them
}

// flags are the options by anchor of commandLines.
var flags = [][]flag{
	{{text: "-p"}}, // mysql
	{{text: "-p"}}, // mariadb
	{{text: "-p", apart: true}, {text: "-p"}}, // sshpass
	{{text: "-a", apart: true}},               // redis-cli
	{{text: "-p", apart: true}},               // docker login
	{{text: "-p", apart: true}},               // podman login
	{{text: "-w", apart: true}},               // ldapsearch
	{{text: "-w", apart: true}},               // ldapmodify
	{{text: "%"}},                             // smbclient
	{{text: "_user "}},                        // rabbitmqctl
	{{text: "-passin pass:"}, {text: "-passout pass:"}, {text: "-pass pass:"}, {text: "-k", apart: true}}, // openssl
	{
		{text: "-b", apart: true, skip: 2}, {text: "-cb", apart: true, skip: 2}, {text: "-bc", apart: true, skip: 2},
		{text: "-nb", apart: true, skip: 1},
	}, // htpasswd
	{{text: "-A", apart: true}, {text: "-X", apart: true}}, // snmpwalk
	{{text: "-p", apart: true}},                            // az login
	{{text: "-P", apart: true}},                            // mosquitto_
	{{text: "-P", apart: true}},                            // sqlcmd
}

// maxCommand is how many bytes after a command its options may stand.
const maxCommand = 200

// commandAt looks for the options of the command on its line.
func commandAt(t *scan, i, k int) int {
	s := t.s
	if !startsWord(s, i) {
		return i + 1
	}
	end := i
	for limit := min(len(s), i+maxCommand); end < limit && s[end] != '\n' && s[end] != '|' && s[end] != ';'; {
		end++
	}
	for _, f := range flags[k] {
		if start := f.value(s[i:end]); start > 0 {
			v := valueAt(s, i+start, assigned)
			if text := s[v.start:v.end]; text != "" && !reference(text) && !standInWord(text) && text[0] != '-' {
				t.hit("OPTION_PASSWORD", v.start, v.end)
			}
		}
	}
	return end
}

// value returns where the value of the flag begins in the command, 0 if it is not there.
func (f flag) value(command string) int {
	text := f.text
	if text[0] == '-' {
		text = " " + text
	}
	at := strings.Index(command, text)
	if at < 0 {
		return 0
	}
	at += len(text)
	if !f.apart {
		if at < len(command) && blanks[command[at]] {
			return 0
		}
		return at
	}
	after := blanks.run(command, at, at+maxBlanks)
	if after == at {
		return 0
	}
	for range f.skip {
		for after < len(command) && !blanks[command[after]] {
			after++
		}
		after = blanks.run(command, after, after+maxBlanks)
	}
	if after >= len(command) {
		return 0
	}
	return after
}
