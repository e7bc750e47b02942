package redact

import (
	"crypto/sha256"
	_ "embed"
	"math/bits"
	"strings"
)

var seedPhrases = detector{
	Doc:    "Seed phrases of wallets: 12, 15, 18, 21 or 24 words of the list of BIP 39 with their checksum.",
	finish: func(t *scan) { t.phrases() },
	Kinds: []kind{{
		Label: "SEED_PHRASE",
		Doc:   "a seed phrase of a wallet",
		Yes: []string{
			"«legal winner thank year wave sausage worth useful legal winner thank yellow»",
			"words: «letter advice cage absurd amount doctor acoustic avoid letter advice cage above», in this order",
			`["«legal»", "«winner»", "«thank»", "«year»", "«wave»", "«sausage»", "«worth»", "«useful»", "«legal»", "«winner»", "«thank»", "«yellow»"]`,
			"1. «legal\n2. winner\n3. thank\n4. year\n5. wave\n6. sausage\n7. worth\n8. useful\n9. legal\n10. winner\n11. thank\n12. yellow»",
			"«zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong»",
		},
		No: []string{
			"legal winner thank year wave sausage worth useful legal winner thank thank",
			"abandon ability able about above absent absorb abstract absurd abuse access accident account accuse achieve acid acoustic",
			"legal winner thank year wave sausage",
			"zoo zone youth young you year yard wrong write wrist worth world wool woman wolf",
		},
	}},
}

//go:embed bip39.txt
var seedText string

// seedWords are the words, in the order of their numbers, from bitcoin/bips, bip-0039/english.txt (MIT).
var seedWords = strings.Fields(seedText)

// seedTable holds the numbers of the words, one more each, at the place of their sign or the next that was free, and
// seedSigns a bit for each sign: most words of a text have no bit there, and need no other look.
var seedTable, seedSigns = func() (table [1 << seedSize]uint16, signs [1 << seedSize / 8]byte) {
	for n, w := range seedWords {
		sign := seedSign(w)
		signs[sign>>3] |= 1 << (sign & 7)
		for table[sign] > 0 {
			sign = (sign + 1) % (1 << seedSize)
		}
		table[sign] = uint16(n) + 1
	}
	return table, signs
}()

// seedSize is how many bits a sign has.
const seedSize = 15

// seedSign mixes the length and the first four letters of a word, in either case; no two words share those four.
func seedSign(word string) uint32 {
	x := uint32(word[0]|0x20) | uint32(word[1]|0x20)<<8 | uint32(word[2]|0x20)<<16
	if len(word) > minSeedWord {
		x |= uint32(word[3]|0x20) << 24
	}
	return (x ^ uint32(len(word))*0x9E3779B1) * 0x85EBCA6B >> (32 - seedSize)
}

// seedNumber returns the number of the word, in either case.
func seedNumber(word string) (uint16, bool) {
	sign := seedSign(word)
	if seedSigns[sign>>3]&(1<<(sign&7)) == 0 {
		return 0, false
	}
	for ; seedTable[sign] > 0; sign = (sign + 1) % (1 << seedSize) {
		if n := seedTable[sign] - 1; equalFold(word, seedWords[n]) {
			return n, true
		}
	}
	return 0, false
}

// equalFold reports whether letters of ASCII, in either case, are those of the word, which is in small ones.
func equalFold(text, word string) bool {
	if len(text) != len(word) {
		return false
	}
	for i := range len(word) {
		if text[i]|0x20 != word[i] {
			return false
		}
	}
	return true
}

const (
	minSeedWord = 3
	maxSeedWord = 8
	minPhrase   = 12 // words of a phrase
	maxPhrase   = 24
	seedStride  = 46 // bytes; a phrase is longer
	maxSeedGap  = 12 // bytes of spaces, signs and numbers between two words
)

// A seedWord is a word of the list in a text.
type seedWord struct {
	start, end int
	number     uint16
}

// phrases looks for runs of words of the list. One look in forty bytes is enough to meet every phrase.
func (t *scan) phrases() {
	s, done, look := t.s, 0, 0
	for i := seedStride - 1; i < len(s); i += seedStride {
		if i >= look {
			if look = i + lookEvery; t.ended() {
				return
			}
		}
		for i < len(s) && !letters[s[i]] { // the next word
			i++
		}
		if i >= len(s) {
			return
		}
		if !maybeSeed(s, i) {
			continue
		}
		first, ok := seedWordAt(s, i)
		if !ok || first.start < done {
			continue
		}
		if run := seedRun(s, first, done); run != nil {
			t.phrase(run)
			done = run[len(run)-1].end
			i = max(i, done-seedStride+1)
		}
	}
}

// maybeSeed reports whether the word that holds the letter at i can be one of the list: by its length and its sign. It
// looks at eight bytes at once on both sides, since most looks end with it.
func maybeSeed(s string, i int) bool {
	if i < 8 || i+16 > len(s) {
		return true
	}
	before := bits.LeadingZeros64(^lettersOf(eightAt(s, i-8))&highs) / 8
	after := bits.TrailingZeros64(^lettersOf(eightAt(s, i))&highs) / 8
	size, start := before+after, i-before
	switch {
	case before < 8 && s[start-1] == '\\': // the first letter may be of \n
		return true
	case size < minSeedWord || size > maxSeedWord:
		return false
	}
	sign := seedSign(s[start : start+size])
	return seedSigns[sign>>3]&(1<<(sign&7)) > 0
}

// lettersOf returns the highest bit of each of the eight bytes that is a letter, as digitsOf does.
func lettersOf(x uint64) uint64 {
	const each = 0x0101010101010101
	small := x | each*0x20 | highs
	return (small - each*'a') &^ (small - each*('z'+1)) &^ x & highs
}

// seedRun returns the words of the list that stand together with one, from done on; nil, if they are too few for a phrase.
func seedRun(s string, first seedWord, done int) []seedWord {
	count := 1
	for w, ok := seedBefore(s, first.start, done); ok; w, ok = seedBefore(s, first.start, done) {
		first = w
		count++
	}
	last := first
	for n := 1; ; n++ {
		w, ok := seedAfter(s, last.end)
		if !ok {
			break
		}
		last, count = w, max(count, n+1)
	}
	if count < minPhrase {
		return nil
	}
	run := []seedWord{first}
	for run[len(run)-1] != last {
		w, _ := seedAfter(s, run[len(run)-1].end)
		run = append(run, w)
	}
	return run
}

// seedWordAt returns the word of the list that holds the letter at i.
func seedWordAt(s string, i int) (seedWord, bool) {
	start, end := i, i
	for start > 0 && i-start <= maxSeedWord && letters[s[start-1]] {
		start--
	}
	start = escaped(s, start)
	for end < len(s) && end-i <= maxSeedWord && letters[s[end]] {
		end++
	}
	if n := end - start; n < minSeedWord || n > maxSeedWord {
		return seedWord{}, false
	}
	number, ok := seedNumber(s[start:end])
	return seedWord{start, end, number}, ok
}

// seedBefore returns the word of the list that ends before i, with nothing but a gap between, from done on.
func seedBefore(s string, i, done int) (seedWord, bool) {
	at := i - 1
	for at >= done && i-at <= maxSeedGap && !letters[s[at]] && seedGap[s[at]] {
		at--
	}
	if at < done || at == i-1 || !letters[s[at]] {
		return seedWord{}, false
	}
	if at > 0 && s[at-1] == '\\' { // of \n
		at -= 2
		for at >= done && i-at <= maxSeedGap && seedGap[s[at]] {
			at--
		}
		if at < done || !letters[s[at]] {
			return seedWord{}, false
		}
	}
	w, ok := seedWordAt(s, at)
	return w, ok && w.end == at+1
}

// seedAfter returns the word of the list that begins after i, with nothing but a gap between.
func seedAfter(s string, i int) (seedWord, bool) {
	at := i
	for at < len(s) && at-i <= maxSeedGap {
		if n := max(brokenAt(s, at), tabbedAt(s, at)); n > 0 {
			at += n
			continue
		}
		if !seedGap[s[at]] {
			break
		}
		at++
	}
	if at == i || at >= len(s) || !letters[s[at]] {
		return seedWord{}, false
	}
	w, ok := seedWordAt(s, at)
	return w, ok && w.start == at
}

var seedGap = classOf(" \t\r\n,;.|\"'`0-9)*>\\-")

// phrase notes the phrases in a run of words: each part of the right length whose checksum holds. Part of a
// dictionary is none.
func (t *scan) phrase(run []seedWord) {
	var before seedBytes // of the words that were looked at last, which were no phrase
	for from := 0; from+minPhrase <= len(run); from++ {
		most := min(maxPhrase, len(run)-from) / 3 * 3
		bits := seedBits(run[from : from+most])
		if bits == before && most == maxPhrase {
			continue
		}
		before = bits
		for n := most; n >= minPhrase; n -= 3 {
			if seedSum(&bits, n) && !sorted(run[from:from+n]) {
				t.hit("SEED_PHRASE", run[from].start, run[from+n-1].end)
				before = seedBytes{}
				break
			}
		}
	}
}

// seedBytes are the numbers of the longest phrase, eleven bits each.
type seedBytes [maxPhrase * 11 / 8]byte

// seedBits returns the numbers of the words, one after the other.
func seedBits(words []seedWord) (bits seedBytes) {
	held, size, at := uint32(0), 0, 0
	for _, w := range words {
		held, size = held<<11|uint32(w.number), size+11
		for ; size >= 8; at++ {
			size -= 8
			bits[at] = byte(held >> size)
		}
	}
	if size > 0 {
		bits[at] = byte(held << (8 - size))
	}
	return bits
}

// seedSum reports whether the last bits of the first n words are the first of the digest of those before (BIP 39).
func seedSum(bits *seedBytes, n int) bool {
	entropy := n * 4 / 3
	sum := sha256.Sum256(bits[:entropy])
	shift := 8 - n/3
	return bits[entropy]>>shift == sum[0]>>shift
}

// maxSorted is how many words of a phrase may stand in the order of the alphabet. Of five thousand phrases one has more.
const maxSorted = 7

// sorted reports whether a part of the words only rises, or only falls.
func sorted(words []seedWord) bool {
	up, down := 1, 1
	for i := 1; i < len(words); i++ {
		up, down = up+1, down+1
		if words[i].number <= words[i-1].number {
			up = 1
		}
		if words[i].number >= words[i-1].number {
			down = 1
		}
		if max(up, down) > maxSorted {
			return true
		}
	}
	return false
}
