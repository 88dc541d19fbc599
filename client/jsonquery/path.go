package jsonquery

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// Root is the path of a whole body.
const Root = "."

// Member is the path of a member of the object at a path, as jq writes it.
func Member(path, name string) string {
	if plain(name) {
		if path == Root {
			return Root + name
		}
		return path + "." + name
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(name) // a string always can be
	return path + "[" + string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))) + "]"
}

// Item is the path of an item of the list at a path, as jq writes it.
func Item(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// plain reports whether a name needs no quotation marks behind a dot.
func plain(name string) bool {
	for i := range len(name) {
		c := name[i]
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}
