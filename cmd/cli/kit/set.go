package kit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"darkroom/client"
	"darkroom/client/places"
)

// setting parses PLACE=VALUE or PLACE:=JSON.
func setting(s string) (place string, raw json.RawMessage, err error) {
	place, value, ok := strings.Cut(s, "=")
	if !ok {
		return "", nil, fmt.Errorf("%q: give PLACE=VALUE, as parameters.seed=7", FirstLine(s, 60))
	}
	if !utf8.ValidString(s) {
		return "", nil, fmt.Errorf("%q is not text (it is not UTF-8)", FirstLine(s, 60))
	}
	place, strict := strings.CutSuffix(place, ":")
	if _, err := places.Check(place); err != nil {
		return "", nil, err
	}
	_, bad := client.ParseJSON(value)
	switch looks := strings.TrimSpace(value); {
	case bad == nil:
		return place, json.RawMessage(looks), nil
	case strict:
		return "", nil, fmt.Errorf("%s:= takes JSON: %w", place, bad)
	case looks != "" && strings.ContainsRune("{[", rune(looks[0])):
		return "", nil, fmt.Errorf("%s: the value begins like JSON and is none: %w; put a text that is meant in double quotes", place, bad)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err = enc.Encode(value)
	return place, bytes.TrimSpace(b.Bytes()), err
}
