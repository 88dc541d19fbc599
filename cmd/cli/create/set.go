package create

import (
	"encoding/json"
	"maps"
)

// setLong is the paragraph about raw additions in the help.
const setLong = `

What no flag covers is added to the body as it stands. --set PLACE=VALUE puts a value at a
place and leaves alone what stands beside it: names separated by dots, [0] for the first
item of an array (or the next one). A value that is JSON (a number, true, false, null, an
object, an array, a text in double quotes) is taken as such, anything else as text;
PLACE:=JSON takes JSON only. A backslash in front of a dot or a bracket makes it a part of
the name:
  --set parameters.seed=9007199254740993 --set content[0].role=first_frame
  --set label=7 is a number, --set 'label="7"' the text

--body FILE reads a whole request body, in the names of any format, as a start: flags win
over it, and what no flag knows is sent as it stands.`

// additions puts --extra and --set on top of what the body left over.
func (o *options) additions() error {
	raw, err := o.raw.Members(`{"watermark": false}`)
	if err != nil || len(raw) == 0 {
		return err
	}
	if o.draft.Extra == nil {
		o.draft.Extra = map[string]json.RawMessage{}
	}
	maps.Copy(o.draft.Extra, raw)
	return nil
}
