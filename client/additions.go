package client

import "encoding/json"

// Overlay puts the raw additions of a draft into their places in a JSON object, as they are
// put into its request. What stands beside them keeps its order and its digits.
func (d Draft) Overlay(body []byte) ([]byte, error) {
	whole, deep, err := d.split()
	if err != nil {
		return nil, err
	}
	for name, value := range whole {
		if body, err = put(body, bodyPlace{{name: name, index: -1}}, 0, json.RawMessage(value)); err != nil {
			return nil, err
		}
	}
	return putAll(body, deep)
}
