package compose

import (
	"slices"

	"darkroom/client"
	"darkroom/client/media"
	"darkroom/tui/widgets/form"
)

// withStray is a row of choices with the value that is none of them, as it came with a draft or
// from another model: it is sent, so it shows and can be chosen again, as long as the fields are
// those of this form.
func (m *sheet) withStray(r form.Field) form.Field {
	if r.Kind != form.Choice && r.Kind != form.Pick {
		return r
	}
	now := m.form.Text(r.ID)
	if now != "" && !slices.ContainsFunc(r.Options, func(o form.Option) bool { return o.Value == now }) {
		if m.strays == nil {
			m.strays = map[string]string{}
		}
		m.strays[r.ID] = now
	}
	stray, ok := m.strays[r.ID]
	if !ok {
		return r
	}
	at := 0
	if len(r.Options) > 0 && r.Options[0].Value == "" {
		at = 1 // behind that which leaves the field out
	}
	shown := client.CleanLine(client.Clip(media.Readable(stray), maxWas))
	r.Options = slices.Concat(r.Options[:at], []form.Option{{Value: stray, Label: shown}}, r.Options[at:])
	if now == stray {
		r.Detail = shown + " is not among the choices"
	} else {
		r.Detail = shown + " was not among the choices"
	}
	return r
}
