package redact

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

// The corpus is of texts in which no value is written: testdata/corpus has a text a line, under headings of its kind,
// with ⏎ for a line break and ⇥ for a tab; «form» stands for a secret and ‹form› for another value of that form, which
// are drawn when the test runs. Detectors are made with the open half. The held half is of other kinds, was
// written before, and is not looked at when a detector is made: the test names none of its texts.
type corpusText struct {
	kind, template, text string
	secrets              []string // as they stand in text
	stays                string   // a pattern of its redacted form; empty: any form
}

// drawSeeds is how often each text is drawn.
const drawSeeds = 3

func corpus(t testing.TB, file string) (list []corpusText) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", "corpus", file))
	if err != nil {
		t.Fatal(err)
	}
	kind := ""
	for line := range strings.Lines(string(content)) {
		line = strings.TrimSuffix(line, "\n")
		if heading, ok := strings.CutPrefix(line, "# "); ok && !strings.ContainsAny(line, "«‹⏎") {
			kind = heading
			continue
		}
		for seed := range drawSeeds {
			list = append(list, drawText(t, kind, line, uint64(seed)))
		}
	}
	return list
}

var corpusSlot = regexp.MustCompile(`[«‹]([a-z0-9:]+)[»›]`)

// drawText fills the slots of a template.
func drawText(t testing.TB, kind, template string, seed uint64) corpusText {
	t.Helper()
	sum := fnv.New64a()
	sum.Write([]byte(template))
	d := drawer{t, rand.New(rand.NewPCG(sum.Sum64(), seed))}
	c := corpusText{kind: kind, template: template}
	encodeAs := ""
	var text, pattern strings.Builder
	rest := strings.NewReplacer("⏎", "\n", "⇥", "\t").Replace(template)
	for {
		m := corpusSlot.FindStringSubmatchIndex(rest)
		if m == nil {
			break
		}
		text.WriteString(rest[:m[0]])
		pattern.WriteString(regexp.QuoteMeta(rest[:m[0]]))
		form := rest[m[2]:m[3]]
		secret := strings.HasPrefix(rest[m[0]:], "«")
		rest = rest[m[1]:]
		if strings.HasPrefix(form, "utf16") {
			encodeAs = form
			continue
		}
		value := d.draw(form)
		text.WriteString(value)
		if secret {
			c.secrets = append(c.secrets, value)
			pattern.WriteString(`\[[A-Z0-9_]+:REDACTED\]`)
		} else {
			pattern.WriteString(regexp.QuoteMeta(value))
		}
	}
	c.text, c.stays = text.String()+rest, "(?s)^"+pattern.String()+regexp.QuoteMeta(rest)+"$"
	if encodeAs != "" {
		c.text, c.stays = inUTF16(encodeAs, c.text), ""
		for i, s := range c.secrets {
			c.secrets[i] = inUTF16(strings.TrimSuffix(encodeAs, "bom"), s)
		}
	}
	return c
}

// inUTF16 writes the text in the form utf16le, utf16be, utf16lebom or utf16bebom.
func inUTF16(form, text string) string {
	if strings.HasSuffix(form, "bom") {
		text = "\ufeff" + text
	}
	var out []byte
	for _, u := range utf16.Encode([]rune(text)) {
		lo, hi := byte(u), byte(u>>8)
		if strings.HasPrefix(form, "utf16be") {
			lo, hi = hi, lo
		}
		out = append(out, lo, hi)
	}
	return string(out)
}

// A drawer draws values.
type drawer struct {
	t testing.TB
	*rand.Rand
}

// draw returns a value of the form, which is a name, or a name and a length: hex32, alnum:40.
func (d drawer) draw(form string) string {
	name, size, _ := strings.Cut(form, ":")
	if strings.HasPrefix(name, "hex") && name != "hexu" {
		name, size = "hex", form[len("hex"):]
	}
	n := 0
	fmt.Sscan(size, &n)
	if set, ok := drawSets[name]; ok {
		return d.from(set, n)
	}
	if words, ok := strings.CutPrefix(name, "bipn"); ok {
		return listedWords(d.phrase(words))
	}
	if words, ok := strings.CutPrefix(name, "bip"); ok {
		return d.phrase(words)
	}
	switch name {
	case "zw":
		return "\u200b" + d.draw(size) + "\u200b"
	case "zwi": // a character that nobody sees after every fourth
		var out strings.Builder
		for i, c := range d.draw(strings.TrimPrefix(form, "zwi:")) {
			if i > 0 && i%4 == 0 {
				out.WriteString("\u200b")
			}
			out.WriteRune(c)
		}
		return out.String()
	case "fw":
		return strings.Map(func(c rune) rune { return c - '!' + '！' }, d.draw(strings.TrimPrefix(form, "fw:")))
	}
	if pattern, ok := drawForms[name]; ok {
		return d.pattern(pattern)
	}
	d.t.Fatalf("no form %q", form)
	return ""
}

const (
	lowerLetters = "abcdefghijklmnopqrstuvwxyz"
	upperLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	tenDigits    = "0123456789"
	cryptSigns   = "./" + tenDigits + upperLetters + lowerLetters
)

// drawSets are forms that are a length of signs.
var drawSets = map[string]string{
	"hex":   tenDigits + "abcdef",
	"hexu":  tenDigits + "ABCDEF",
	"alnum": tenDigits + upperLetters + lowerLetters,
	"b64":   tenDigits + upperLetters + lowerLetters + "+/",
	"b64u":  tenDigits + upperLetters + lowerLetters + "-_",
	"num":   tenDigits,
	"crypt": cryptSigns,
	"l":     lowerLetters,
	"u":     upperLetters,
	"sign":  "!#%+*?~^",
	"b58":   "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
}

// drawForms are forms that are put together from others, as {name:length}.
var drawForms = map[string]string{
	"pw":           "{u:1}{l:4}{num:2}{sign:1}{l:3}{u:1}{num:1}",
	"pwa":          "{l:2}{num:1}{u:2}{l:3}{num:2}{u:1}",
	"pwc":          "{l:4},{num:2}{u:2}{sign:1}{l:2}",
	"wpw":          "{word}-{Word}{num:2}",
	"bk":           "{hex:5}-{hex:5}",
	"uuid":         "{hex:8}-{hex:4}-4{hex:3}-a{hex:3}-{hex:12}",
	"date":         "2025-0{digit}-1{digit}",
	"ip":           "10.{digit}.{digit}1.2{digit}",
	"host":         "{word}-{digit}.example.com",
	"bcrypt":       "$2y$10${crypt:53}",
	"apr1":         "$apr1${crypt:8}${crypt:22}",
	"md5crypt":     "$1${crypt:8}${crypt:22}",
	"sha256crypt":  "$5${crypt:16}${crypt:43}",
	"sha512crypt":  "$6${crypt:16}${crypt:86}",
	"yescrypt":     "$y$j9T${crypt:22}${crypt:43}",
	"cisco9":       "$9${crypt:14}${crypt:43}",
	"argon2":       "$argon2id$v=19$m=65536,t=3,p=4${b64:22}${b64:43}",
	"scrypt":       "$scrypt$ln=16,r=8,p=1${b64:22}${b64:43}",
	"pbkdf2django": "pbkdf2_sha256$600000${alnum:22}${b64:43}=",
	"wif":          "5K{b58:49}",
}

// drawWords are forms that are one word of several.
var drawWords = map[string][]string{
	"word":  strings.Fields("maple otter copper lantern harbor velvet cactus tundra pebble orchid falcon ribbon"),
	"Word":  strings.Fields("Kettle Anchor Meadow Saddle Violet Barrel Pepper Walnut"),
	"user":  strings.Fields("ann ben carla dmitri eve farid grace hugo"),
	"name":  {"Ann Lee", "Ben Ode", "Carla Ruiz", "Eve Berg"},
	"digit": strings.Split("123456789", ""),
}

func (d drawer) pattern(pattern string) string {
	return drawnPart.ReplaceAllStringFunc(pattern, func(part string) string { return d.one(part[1 : len(part)-1]) })
}

var drawnPart = regexp.MustCompile(`\{[A-Za-z0-9:]+\}`)

// one returns a value of a part of a pattern.
func (d drawer) one(form string) string {
	if words := drawWords[form]; words != nil {
		return words[d.IntN(len(words))]
	}
	return d.draw(form)
}

func init() {
	for form := range drawWords {
		drawForms[form] = "{" + form + "}"
	}
}

func (d drawer) from(set string, n int) string {
	out := make([]byte, n)
	for i := range out {
		out[i] = set[d.IntN(len(set))]
	}
	return string(out)
}

// phrase returns as many words as a wallet makes of chance, with their checksum (BIP 39).
func (d drawer) phrase(count string) string {
	content, err := os.ReadFile("bip39.txt")
	if err != nil {
		d.t.Fatal(err)
	}
	list := strings.Fields(string(content))
	n := 0
	fmt.Sscan(count, &n)
	entropy := make([]byte, n*4/3)
	for i := range entropy {
		entropy[i] = byte(d.Uint32())
	}
	sum := sha256.Sum256(entropy)
	bits := append(entropy, sum[0])
	var words []string
	for i := range n {
		index := 0
		for b := i * 11; b < i*11+11; b++ {
			index = index<<1 | int(bits[b/8]>>(7-b%8)&1)
		}
		words = append(words, list[index])
	}
	return strings.Join(words, " ")
}

// listedWords writes the words of a phrase as a list, of which the first has its number already.
func listedWords(phrase string) string {
	var out strings.Builder
	for i, w := range strings.Fields(phrase) {
		if i > 0 {
			fmt.Fprintf(&out, " %d. ", i+1)
		}
		out.WriteString(w)
	}
	return out.String()
}

// leakedFrom returns the secrets of which something stays: eight characters in a row, or all of a shorter one.
func (c corpusText) leakedFrom(got string) (list []string) {
	outside := c.text
	for _, secret := range c.secrets {
		outside = strings.ReplaceAll(outside, secret, "\x00\x00")
	}
	for _, secret := range c.secrets {
		for i := range secret {
			part := secret[i:]
			if n := 8; len(part) > n {
				part = part[:n]
			} else if i > 0 {
				break
			}
			if utf8.ValidString(part) && strings.Contains(got, part) && !strings.Contains(outside, part) {
				list = append(list, secret)
				break
			}
		}
	}
	return list
}

// corpusFigures are the secrets of a half that may stay, and its ordinary texts that may change, of a thousand.
type corpusFigures struct{ leaked, changed int }

func TestCorpus(t *testing.T) {
	r := New(nil)
	for half, most := range map[string]corpusFigures{"open": {0, 0}, "held": {92, 15}} {
		t.Run(half, func(t *testing.T) {
			secrets, leaked, inexact := 0, 0, 0
			for _, c := range corpus(t, half+"-secrets.txt") {
				got, _ := r.Text(c.text)
				left := c.leakedFrom(got)
				secrets, leaked = secrets+len(c.secrets), leaked+len(left)
				if c.stays != "" && !regexp.MustCompile(c.stays).MatchString(got) {
					inexact++
					if len(left) == 0 {
						corpusReport(t, half, "not as it should be", c, got)
					}
				}
				if len(left) > 0 {
					corpusReport(t, half, "left of a secret", c, got)
				}
			}
			texts, changed := 0, 0
			for _, c := range corpus(t, half+"-ordinary.txt") {
				texts++
				if got, _ := r.Text(c.text); got != c.text {
					changed++
					corpusReport(t, half, "changed", c, got)
				}
			}
			t.Logf("%d of %d secrets left, %d of %d ordinary texts changed, %d texts with secrets not to the byte", leaked, secrets, changed, texts, inexact)
			if leaked*1000 > most.leaked*secrets || changed*1000 > most.changed*texts {
				t.Errorf("%s: %d of %d secrets left, %d of %d ordinary texts changed, want at most %d and %d of a thousand",
					half, leaked, secrets, changed, texts, most.leaked, most.changed)
			}
		})
	}
}

// corpusReport tells of a text, if it is one that may be looked at.
func corpusReport(t *testing.T, half, what string, c corpusText, got string) {
	t.Helper()
	if half == "open" {
		t.Logf("%s, %s: %s\n in  %q\n out %q", what, c.kind, c.template, c.text, got)
	}
}

// TestTheListOfWordsIsTheStandards compares the list with the digest of english.txt of BIP 39.
func TestTheListOfWordsIsTheStandards(t *testing.T) {
	content, err := os.ReadFile("bip39.txt")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(content)
	if got, want := hex.EncodeToString(sum[:]), "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda"; got != want {
		t.Errorf("bip39.txt has the digest %s, want %s", got, want)
	}
}
