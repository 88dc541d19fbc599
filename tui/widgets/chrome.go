package widgets

import "darkroom/themes"

// chrome are the inks of what stands around the contents of each frame.
type chrome struct {
	border, borderFocus, title, titleFocus Ink
	tab, tabActive                         Ink
	button, buttonFocus, buttonOff         Ink
	thumb, track                           string
}

func chromeOf(st *themes.Styles) *chrome {
	return themes.Derived(st, func(st *themes.Styles) *chrome {
		return &chrome{
			border: NewInk(st.Border), borderFocus: NewInk(st.BorderFocus), title: NewInk(st.BoxTitle), titleFocus: NewInk(st.BoxTitleFocus),
			tab: NewInk(st.Tab), tabActive: NewInk(st.TabActive),
			button: NewInk(st.Button), buttonFocus: NewInk(st.ButtonFocus), buttonOff: NewInk(st.ButtonOff),
			thumb: NewInk(st.Muted).Text("┃"), track: NewInk(st.Border).Text("│"),
		}
	})
}
