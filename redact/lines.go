package redact

import "strings"

var passwordLines = detector{
	Doc: "Passwords at their place in lines without keys: .pgpass, Oracle's user/password@host.",
	Anchors: []string{":5432:", ":5433:", ":6432:", ":*:", "jdbc:oracle:thin:", "sqlplus ", "sqlplus -s ", "sqlplus -l ", "exp ", "imp ", "expdp ",
		"impdp ", "sqlldr ", "rman target ", "userid="},
	at: passwordLineAt,
	Kinds: []kind{{
		Label: "LINE_PASSWORD",
		Doc:   "a password at its place in a line",
		Yes: []string{
			"db.example.com:5432:users:app:«swordfish»\n",
			"*:*:*:app:«sword\\:fish 9»\nlocalhost:5433:app:bob:«hunter2»",
			"jdbc:oracle:thin:scott/«tiger9»@//db.example.com:1521/orcl",
			"sqlplus scott/«tiger9»@orcl",
			"sqlplus -S scott/«tiger9»@db.example.com:1521/orcl @a.sql",
			"expdp scott/«tiger9»@db.example.com/orcl directory=d",
			"rman target sys/«tiger9»@orcl",
		},
		No: []string{
			"listening on 127.0.0.1:5432: ready, port:5433:ok",
			"0.0.0.0:5432:5432",
			"jdbc:oracle:thin:@//db.example.com:1521/orcl",
			"sqlplus /nolog",
			"exp a/b and imp lib/c@2 of the module",
		},
	}},
}

var pgField = classOf("!-9;-~")

// passwordLineAt looks at the fields around the anchor: of .pgpass host:port:database:user:password, of Oracle
// user/password@.
func passwordLineAt(t *scan, i, k int) int {
	s, after := t.s, i+len(t.anchor(k))
	if k >= oracleAnchor {
		if !startsWord(s, i) {
			return i
		}
		return max(i, t.oracleUser(after, k >= commonAnchor))
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

const (
	oracleAnchor = 4 // the first anchor of Oracle
	commonAnchor = 8 // the first that is also a word of other texts
)

// oracleUser takes the password of the user that begins at i. Behind a word that other texts have, it must look like one.
func (t *scan) oracleUser(i int, common bool) int {
	s := t.s
	slash := wordBytes.run(s, i, i+maxKey)
	end := bareEnd(s, slash, slash+maxUserInfo)
	if slash == i || slash >= len(s) || s[slash] != '/' {
		return 0
	}
	at := strings.LastIndexByte(s[slash:end], '@')
	if at < 2 {
		return 0
	}
	if text := s[slash+1 : slash+at]; !reference(text) && !standInWord(text) && (!common || mixture(text)) {
		t.hit("LINE_PASSWORD", slash+1, slash+at)
	}
	return slash + at
}

var commandLines = detector{
	Doc: "Passwords in the options of well-known commands, whose names do not say so.",
	Anchors: []string{"mysql", "mariadb", "sshpass", "redis-cli", "docker login", "podman login", "ldapsearch", "ldapmodify",
		"smbclient", "rabbitmqctl", "openssl", "htpasswd", "snmpwalk", "az login", "mosquitto_", "sqlcmd", "snmpget", "snmpset", "snmpbulkwalk",
		"ldapadd", "ldappasswd", "mongosh", "mongo ", "mongodump", "isql", "cqlsh", "ipmitool", "zip ", "7z ", "7za ", "lftp", "xfreerdp", "net use ",
		"keytool", "jarsigner", "rclone ", "bcp ", "kinit", "unrar ", "unzip ", "rar "},
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
			"mongosh db.example.com -u bob -p «hunter2» --quiet",
			"snmpget -v3 -u bob -A «Tulip77rain» -X «Rain77tulip» 10.0.0.1 sysName.0",
			"snmpwalk -v2c -c «tulips7» 10.0.0.1 1.3.6",
			"zip -P «hunter2» out.zip a.txt",
			"7z a -p«hunter2» out.7z a.txt",
			"xfreerdp /v:10.0.0.1 /u:bob /p:«hunter2»",
			`net use Z: \\srv\share /user:bob «hunter2»`,
			"keytool -genkey -storepass «hunter2» -keypass «swordfish9»",
			"lftp -u bob,«hunter2» ftp.example.com",
			"ipmitool -I lanplus -H 10.0.0.1 -U bob -P «hunter2» power status",
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
	apart bool   // a space stands between flag and value; without, none
	skip  int    // words between them
	after string // the value begins behind it in its word; empty: with the word
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
	snmpFlags,                   // snmpwalk
	{{text: "-p", apart: true}}, // az login
	{{text: "-P", apart: true}}, // mosquitto_
	{{text: "-P", apart: true}}, // sqlcmd
	snmpFlags,                   // snmpget
	snmpFlags,                   // snmpset
	snmpFlags,                   // snmpbulkwalk
	{{text: "-w", apart: true}}, // ldapadd
	{{text: "-w", apart: true}, {text: "-s", apart: true}}, // ldappasswd
	{{text: "-p", apart: true}},                            // mongosh
	{{text: "-p", apart: true}},                            // mongo
	{{text: "-p", apart: true}},                            // mongodump
	{{text: "-P", apart: true}, {text: "-P"}},              // isql
	{{text: "-p", apart: true}},                            // cqlsh
	{{text: "-P", apart: true}},                            // ipmitool
	{{text: "-P", apart: true}},                            // zip
	{{text: "-p"}},                                         // 7z
	{{text: "-p"}},                                         // 7za
	{{text: "-u", apart: true, after: ","}},                // lftp
	{{text: "/p:"}},                                        // xfreerdp
	{{text: "/user:", apart: true, skip: 1}},               // net use
	{{text: "-storepass", apart: true}, {text: "-keypass", apart: true}, {text: "-srcstorepass", apart: true}, {text: "-deststorepass", apart: true}}, // keytool
	{{text: "-storepass", apart: true}, {text: "-keypass", apart: true}},                                                                              // jarsigner
	{{text: " pass", apart: true}},            // rclone
	{{text: "-P", apart: true}, {text: "-P"}}, // bcp
	{{text: "--password=STDIN "}},             // kinit
	{{text: "-p"}, {text: "-hp"}},             // unrar
	{{text: "-P", apart: true}},               // unzip
	{{text: "-p"}, {text: "-hp"}},             // rar
}

// snmpFlags are the options of the commands of Net-SNMP.
var snmpFlags = []flag{{text: "-A", apart: true}, {text: "-X", apart: true}, {text: "-c", apart: true}}

// maxCommand is how many bytes after a command its options may stand.
const maxCommand = 200

// commandAt looks for the options of the command on its line.
func commandAt(t *scan, i, k int) int {
	s := t.s
	if !startsWord(s, i) {
		return i + 1
	}
	end := t.commandEnd(i)
	for _, f := range flags[k] {
		if start := f.value(s[i:end]); start > 0 {
			v := valueAt(s, i+start, assigned)
			if text := s[v.start:v.end]; text != "" && !reference(text) && !standInWord(text) && text[0] != '-' && !pairAt(s, v.start) {
				t.hit("OPTION_PASSWORD", v.start, v.end)
			}
		}
	}
	return i + len(t.anchor(k)) // another command may follow in its line
}

// commandEnd returns where the command ends that begins at i, as far as its options are looked at. Of a line that holds many
// commands it looks at no part twice.
func (t *scan) commandEnd(i int) int {
	if i < t.command.start || i > t.command.end {
		t.command = stretch{i, i}
	}
	end, limit := t.command.end, min(len(t.s), i+maxCommand)
	for end < limit && !commandStop[t.s[end]] {
		end++
	}
	t.command = stretch{i, end}
	return end
}

var commandStop = classOf("\n|;")

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
	if after == at && !strings.HasSuffix(f.text, ":") {
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
	if n := strings.Index(command[after:], f.after); f.after != "" && n > 0 {
		return after + n + len(f.after)
	} else if f.after != "" {
		return 0
	}
	return after
}
