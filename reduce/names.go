package reduce

// shape says what kind of name a word is. The value of a name as something to keep depends on it.
type shape uint8

const (
	plainWord   shape = iota // lower-case letters
	capitalWord              // Capitalised, or UPPER
	snakeWord                // has an underscore inside
	camelWord                // has a capital inside
	numberWord               // digits
	mixedWord                // letters and digits
	dottedName               // words joined by dots
	pathName                 // words joined by slashes
	shapes
)

// The classes of bytes, as names see them.
const (
	lowerByte = 1 << iota
	upperByte
	digitByte
	underByte
	joinByte  // . between words
	slashByte // / between words
	dashByte  // - within a path
)

var nameBytes = func() (t [256]uint8) {
	for c := 'a'; c <= 'z'; c++ {
		t[c] = lowerByte
	}
	for c := 'A'; c <= 'Z'; c++ {
		t[c] = upperByte
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = digitByte
	}
	for c := 0x80; c < 0x100; c++ {
		t[c] = lowerByte
	}
	t['_'], t['.'], t['/'], t['-'] = underByte, joinByte, slashByte, dashByte
	return t
}()

const (
	wordBytes  = lowerByte | upperByte | digitByte | underByte
	leastWord  = 3   // bytes of a word that can be a name
	leastDigit = 4   // digits of a number that can be a name
	mostName   = 120 // bytes
)

// scanNames calls found for every name of a line: each word, and each longer name that words make with dots or slashes.
func scanNames(line string, found func(name string, s shape)) {
	for i := 0; i < len(line); {
		if nameBytes[line[i]] == 0 {
			i++
			continue
		}
		end, joins := i, uint8(0)
		for end < len(line) && nameBytes[line[end]] != 0 {
			joins |= nameBytes[line[end]]
			end++
		}
		scanRun(line[i:end], joins, found)
		i = end
	}
}

// scanRun finds the names of a run of bytes that names are made of.
func scanRun(run string, joins uint8, found func(string, shape)) {
	words := 0
	for i := 0; i < len(run); {
		start, seen := i, uint8(0)
		for i < len(run) && nameBytes[run[i]]&wordBytes != 0 {
			seen |= nameBytes[run[i]]
			i++
		}
		if i == start {
			i++
			continue
		}
		words++
		if s, ok := shapeOf(run[start:i], seen); ok {
			found(run[start:i], s)
		}
	}
	if joins&(slashByte|joinByte) == 0 || words < 2 {
		return
	}
	if name := trimName(run); len(name) <= mostName && joins&slashByte != 0 {
		found(name, pathName)
	} else if len(name) <= mostName {
		found(name, dottedName)
	}
}

// trimName cuts what joins words from the ends of a name. The slash at the beginning of a path is part of it.
func trimName(name string) string {
	for len(name) > 0 && nameBytes[name[len(name)-1]]&wordBytes == 0 {
		name = name[:len(name)-1]
	}
	for len(name) > 0 && nameBytes[name[0]]&(wordBytes|slashByte) == 0 {
		name = name[1:]
	}
	return name
}

func shapeOf(word string, seen uint8) (shape, bool) {
	switch {
	case len(word) < leastWord:
		return plainWord, false
	case seen == digitByte:
		return numberWord, len(word) >= leastDigit
	case seen&underByte != 0:
		return snakeWord, seen != underByte
	case seen&digitByte != 0:
		return mixedWord, true
	case seen&upperByte == 0:
		return plainWord, true
	}
	for i := 1; i < len(word); i++ {
		if nameBytes[word[i]] == upperByte && nameBytes[word[i-1]] == lowerByte {
			return camelWord, true
		}
	}
	return capitalWord, true
}
