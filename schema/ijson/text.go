package ijson

// Text returns the text of JSON that is a string, and an error for any other.
func Text(raw []byte) (string, error) {
	raw = raw[afterSpace(raw, 0):]
	if len(raw) == 0 || raw[0] != '"' || !Valid(raw) {
		return "", errNotJSON
	}
	return Unquote(raw[:endOfString(raw, 1)+1])
}
