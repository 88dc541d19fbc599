package form

import (
	"darkroom/themes"
	"darkroom/tui/widgets"
)

// inks are the styles of a form, made once for a theme.
type inks struct {
	label, labelFocus, value, hint, option, active widgets.Ink
	cursor, selection, muted, faint, struck        widgets.Ink
	border, borderFocus, accent                    widgets.Ink
	marks                                          [Bad + 1]widgets.Ink
	// bar says that a cursor cannot be shown by colours.
	bar bool
}

func newInks(st *themes.Styles) *inks {
	k := &inks{
		label: widgets.NewInk(st.Label), labelFocus: widgets.NewInk(st.LabelFocus),
		value: widgets.NewInk(st.Value), hint: widgets.NewInk(st.Placeholder),
		option: widgets.NewInk(st.Option), active: widgets.NewInk(st.OptionActive),
		cursor: widgets.NewInk(st.Cursor), selection: widgets.NewInk(st.Selection),
		muted: widgets.NewInk(st.Muted), faint: widgets.NewInk(st.Faint), struck: widgets.NewInk(st.Struck),
		border: widgets.NewInk(st.Border), borderFocus: widgets.NewInk(st.BorderFocus),
		accent: widgets.NewInk(st.Accent),
	}
	k.marks[Differs] = k.accent
	k.marks[Info] = widgets.NewInk(st.Info)
	k.marks[Warn] = widgets.NewInk(st.Warn)
	k.marks[Bad] = widgets.NewInk(st.Bad)
	k.bar = k.cursor == widgets.Ink{}
	return k
}

// signs say by shape what the colours of marks say as well.
var signs = [Bad + 1]string{Fine: " ", Differs: "≠", Info: "i", Warn: "⚠", Bad: "✗"}
