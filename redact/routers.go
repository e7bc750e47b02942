package redact

import "strings"

var routerSecrets = detector{
	Doc:     "Passwords, keys and communities in the configuration of routers, switches and SNMP agents, at their place in a line.",
	Anchors: routerAnchors,
	at:      routerAt,
	Kinds: []kind{{
		Label: "DEVICE_SECRET",
		Doc:   "a password, a key or a community of a network device",
		Yes: []string{
			"enable password «Tulip77»\n",
			"enable password 7 «08204E4F1B0C»\n",
			"username ann privilege 15 password 0 «Tulip77»\n",
			" neighbor 10.0.0.2 password 7 «13061E010803557878»\n",
			"tacacs-server key 7 «0508571C22431F5B4A»\n",
			"radius-server host 10.0.0.5 auth-port 1812 key «Tulip77rain»\n",
			" ip ospf message-digest-key 1 md5 «Tulip77rain»\n",
			"crypto isakmp key «Tulip77rain» address 10.0.0.9\n",
			" pre-shared-key «tulip-Rain77»\n",
			"snmp-server community «Tulip77rain» RO 10\n",
			"snmp-server community «tulips» rw\n",
			"snmp-server user ann ops v3 auth sha «Tulip77rain» priv aes 128 «Rain77tulip»\n",
			"rocommunity «tulips» 10.0.0.0/24\n",
			"rwcommunity «Tulip77rain»\n",
			"com2sec readonly default «tulips7»\n",
			"createUser ann SHA «Tulip77rain» AES «Rain77tulip»\n",
			" ppp chap password 0 «Tulip77rain»\n",
		},
		No: []string{
			"enable secret is preferred over enable password\n",
			"service password-encryption\nno enable password\n",
			"snmp-server community public RO\nsnmp-server location Room 4\nsnmp-server enable traps\n",
			"rocommunity is the directive for read-only access.\n",
			"The password 7 times, the key 7 of 9, secret 5 and password 0 of the list.\n",
			"key chain EIGRP\n key 1\n  key-string 7\n",
			"com2sec readonly default public\n",
		},
	}},
}

// A setting is a place of a secret in a line of such a configuration.
type setting struct {
	text   string // the text before it
	begins bool   // a line begins with the text, or the secret looks like one
	skip   int    // words between
	form   *class // the bytes of the secret; nil: all but blanks
	least  int    // bytes of it
	ends   bool   // the line ends after it
	unlike bool   // it looks like a password
}

// settings are all of them.
var settings = []setting{
	{text: "enable password ", begins: true, least: 4, ends: true},
	{text: "enable secret ", begins: true, least: 4, ends: true},
	{text: "password 7 ", form: upperHex, least: 6},
	{text: "key 7 ", form: upperHex, least: 6},
	{text: "key-string 7 ", form: upperHex, least: 6},
	{text: "md5 7 ", form: upperHex, least: 6},
	{text: "password 0 ", least: 5, unlike: true},
	{text: "secret 0 ", least: 5, unlike: true},
	{text: "key 0 ", least: 5, unlike: true},
	{text: "password 5 ", least: 5, unlike: true},
	{text: "tacacs-server key ", begins: true, least: 4, ends: true},
	{text: "radius-server key ", begins: true, least: 4, ends: true},
	{text: " key ", least: 5, ends: true, unlike: true},
	{text: "isakmp key ", least: 4},
	{text: "pre-shared-key ", least: 4, ends: true},
	{text: "authentication-key ", least: 4, unlike: true},
	{text: "privacy-key ", least: 4, unlike: true},
	{text: " md5 ", least: 5, ends: true, unlike: true},
	{text: "auth sha ", least: 5, unlike: true},
	{text: "auth md5 ", least: 5, unlike: true},
	{text: "priv aes ", skip: 1, least: 5, unlike: true},
	{text: "priv des ", least: 5, unlike: true},
	{text: "snmp-server community ", begins: true, least: 4},
	{text: "snmp community ", least: 4},
	{text: "rocommunity ", begins: true, least: 4},
	{text: "rwcommunity ", begins: true, least: 4},
	{text: "rocommunity6 ", begins: true, least: 4},
	{text: "rwcommunity6 ", begins: true, least: 4},
	{text: "com2sec ", begins: true, skip: 2, least: 4, ends: true},
	{text: "com2sec6 ", begins: true, skip: 2, least: 4, ends: true},
	{text: "createuser ", begins: true, skip: 2, least: 5},
}

// routerAnchors are the texts of the settings, but for those that every sentence holds.
var routerAnchors = func() (anchors []string) {
	for _, s := range settings {
		if s.text[0] == ' ' {
			anchors = append(anchors, routerLines[s.text])
			continue
		}
		anchors = append(anchors, s.text)
	}
	return anchors
}()

// routerLines maps a setting whose own text is too common to the text that stands earlier in its line.
var routerLines = map[string]string{" key ": "radius-server host ", " md5 ": "message-digest-key "}

var upperHex = classOf("0-9A-Fa-f")

// routerAt takes the word at the place that the setting says.
func routerAt(t *scan, i, k int) int {
	s, set := t.s, settings[k]
	at := i + len(t.anchor(k))
	if set.text[0] == ' ' {
		n := strings.Index(s[at:min(len(s), at+maxCommand)], set.text)
		if n < 0 || strings.ContainsAny(s[at:at+n], "\n\\") {
			return i + 1
		}
		at += n + len(set.text)
	}
	if !startsWord(s, i) {
		return i + 1
	}
	for range set.skip {
		at = blanks.run(s, settingEnd(s, at), settingEnd(s, at)+maxBlanks)
	}
	start, end := at, settingEnd(s, at)
	if !t.setting(set, i, start, end) {
		return i + 1
	}
	t.hit("DEVICE_SECRET", start, end)
	if strings.HasPrefix(set.text, "createuser") { // and the key of the privacy after its kind
		next := blanks.run(s, end, end+maxBlanks)
		next = blanks.run(s, settingEnd(s, next), settingEnd(s, next)+maxBlanks)
		if stop := settingEnd(s, next); t.setting(set, i, next, stop) {
			t.hit("DEVICE_SECRET", next, stop)
			return stop
		}
	}
	return end
}

// setting reports whether the word is the secret of the setting at i.
func (t *scan) setting(set setting, i, start, end int) bool {
	text := t.s[start:end]
	after := blanks.run(t.s, end, end+maxBlanks)
	switch {
	case len(text) < set.least || reference(text) || standInWord(text) || communities[strings.ToLower(text)]:
		return false
	case set.form != nil:
		return set.form.run(text, 0, len(text)) == len(text) && len(text)%2 == 0 && hasDigit(text)
	case set.ends && !endsLine(t.s, after):
		return false
	case set.unlike:
		return password(text) || strong(text)
	}
	return mixture(text) || scopeWord(t.s[after:]) || (!set.begins || lineStart(t.s, i)) && endsLine(t.s, after)
}

// communities are those that every agent begins with, and words that settings hold at this place.
var communities = wordSet("public private read-only read-write default encrypted level string")

// scopeWord reports whether the word after a community tells for whom it is: an access, an address, a source.
func scopeWord(rest string) bool {
	lower := strings.ToLower(rest[:min(len(rest), maxBlanks)])
	return hasAnyPrefix(lower, "ro", "rw", "view ", "default") || rest != "" && digits[rest[0]]
}

// settingEnd returns where the word ends that begins at i.
func settingEnd(s string, i int) int {
	for i < len(s) && s[i] > ' ' && s[i] != '"' && brokenAt(s, i) == 0 {
		i++
	}
	return i
}
