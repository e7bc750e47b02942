package envelope

import "strings"

var jsonObject = kind{
	Name: "json_object", Doc: "every member while there is room, samples of long arrays, the beginnings of long strings", JSON: true,
	is:   func(c *content) bool { return strings.HasPrefix(strings.TrimSpace(c.text), "{") && isJSON(c.text) },
	keep: (*wrapping).keepJSON,
	Yes:  []string{`{"a": 1}`, " {}\n"},
	No:   []string{`{"a": 1`, `[1]`, "{a}"},
}

var jsonArray = kind{
	Name: "json_array", Doc: "the first records, those that speak of a failure, the last one, and how many there are", JSON: true,
	is:   func(c *content) bool { return strings.HasPrefix(strings.TrimSpace(c.text), "[") && isJSON(c.text) },
	keep: (*wrapping).keepJSON,
	Yes:  []string{`[1, 2]`, `[{"a": 1}]`},
	No:   []string{`[INFO] started`, `[1`},
}

var records = kind{
	Name: "json_lines", Doc: "as of an array, a record a line", JSON: true,
	is:   func(c *content) bool { return isJSONLines(c.text) },
	keep: (*wrapping).keepJSON,
	Yes:  []string{"{\"a\":1}\n{\"a\":2}\n"},
	No:   []string{"{\"a\":1}", "{\"a\":1}\nplain"},
}
