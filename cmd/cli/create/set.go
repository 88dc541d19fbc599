package create

import (
	"encoding/json"
	"strings"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
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
	d := &o.draft
	put := func(place string, raw json.RawMessage) {
		if d.Extra == nil {
			d.Extra = map[string]json.RawMessage{}
		}
		d.Extra[place] = raw
	}
	if o.extra != "" {
		var members map[string]json.RawMessage
		if _, err := client.ParseJSON(o.extra); err != nil {
			return kit.Usage("--extra: %s; a JSON object is needed, as '{\"watermark\": false}'", client.CleanLine(err.Error()))
		}
		if err := json.Unmarshal([]byte(o.extra), &members); err != nil || members == nil {
			return kit.Usage("--extra %q: a JSON object is needed, as '{\"watermark\": false}'", client.CleanLine(o.extra))
		}
		for name, raw := range members {
			put(client.QuoteName(name), raw)
		}
	}
	var problems []string
	for _, s := range o.set {
		place, raw, err := kit.Setting(s)
		if err != nil {
			problems = append(problems, client.CleanLine("--set "+err.Error()))
			continue
		}
		put(place, raw)
	}
	if len(problems) > 0 {
		return kit.Usage("%s", strings.Join(problems, "\n"))
	}
	return nil
}
