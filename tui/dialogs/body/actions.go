package body

import (
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs/bodies"
	"darkroom/tui/screen"
)

// The dialog's actions.
const (
	actFind   = Scope + ".find"
	actFilter = Scope + ".filter"
	actDiff   = Scope + ".diff"
	actNext   = Scope + ".next-body"
	actCopy   = Scope + ".copy"
	actPath   = Scope + ".copy-path"
	actCurl   = Scope + ".copy-curl"
	actWrap   = Scope + ".wrap"
	actClose  = Scope + ".close"
)

// Commands is the table of what can be done in the dialog.
func Commands() []screen.Command[*Dialog] {
	return []screen.Command[*Dialog]{
		{ID: Scope + ".fold", Title: "Fold or unfold the branch", Keys: []string{"enter"}, Do: screen.Act(func(d *Dialog) { d.tree.Toggle() })},
		{ID: actFind, Title: "Search in the body", Keys: []string{"/"}, Word: "search", Off: offBody, Do: screen.Act(func(d *Dialog) { d.typing(finding, "") })},
		{ID: Scope + ".find-next", Title: "Next match", Keys: []string{"n"}, Off: offFound, Do: found(1)},
		{ID: Scope + ".find-before", Title: "Previous match", Keys: []string{"N"}, Off: offFound, Do: found(-1)},
		{ID: actFilter, Title: "Filter the body with jq", Keys: []string{"f", "|"}, Word: "jq filter", Off: offBody, Do: screen.Act(filter)},
		{ID: actDiff, Title: "What changed since another body", Keys: []string{"d"}, Word: "compare", Off: offDiff, Do: (*Dialog).askOther},
		{ID: actNext, Title: "Next body", Keys: []string{"tab"}, Word: "next body", Off: offOther, Do: func(d *Dialog) tea.Cmd { return d.step(1) }},
		{ID: Scope + ".prev-body", Title: "Previous body", Keys: []string{"shift+tab"}, Off: offOther, Do: func(d *Dialog) tea.Cmd { return d.step(-1) }},
		{ID: actCopy, Title: "Copy the whole value", Keys: []string{"y"}, Word: "copy value", Off: offBody,
			Do: func(d *Dialog) tea.Cmd { return d.copied(d.value(), "the value") }},
		{ID: actPath, Title: "Copy the jq path", Keys: []string{"Y"}, Word: "path", Off: offPath,
			Do: func(d *Dialog) tea.Cmd { return d.copied(d.tree.Path(), "the path") }},
		{ID: Scope + ".copy-whole", Title: "Copy the body as it came", Keys: []string{"a"}, Off: offBody, Do: copyWhole},
		{ID: actCurl, Title: "Copy the request as curl: what was sent, byte for byte", Keys: []string{"C"}, Word: "curl", Off: offCurl, Do: copyCurl},
		{ID: actWrap, Title: "Wrap long lines, or cut them", Keys: []string{"w"}, Word: "wrap", Do: screen.Act(turnWrap)},
		{ID: Scope + ".source", Title: "A web page as text, or as it came", Keys: []string{"s"}, Off: offPage, Do: turnSource},
		{ID: actClose, Title: "Back", Keys: []string{"esc"}, Word: "back", Do: (*Dialog).leave},
	}
}

func found(step int) func(*Dialog) tea.Cmd {
	return screen.Act(func(d *Dialog) { d.tellFound(d.tree.Next(step)) })
}

func filter(d *Dialog) {
	text := ""
	if d.layer == filtered {
		text = d.label
	}
	d.typing(filtering, text)
}

func turnWrap(d *Dialog) {
	d.wrap = !d.wrap
	d.tree.SetWrap(d.wrap)
}

func turnSource(d *Dialog) tea.Cmd {
	d.source = !d.source
	return d.draw()
}

func offBody(d *Dialog) string {
	switch {
	case d.current() != nil:
		return ""
	case d.loading:
		return "the bodies are still being read"
	default:
		return "no body was kept"
	}
}

func offFound(d *Dialog) string {
	if _, n := d.tree.Hits(); n == 0 {
		return "nothing was searched for, or found"
	}
	return ""
}

func offOther(d *Dialog) string {
	if off := offBody(d); off != "" {
		return off
	}
	if len(d.all) < 2 {
		return "there is no other body"
	}
	return ""
}

func offDiff(d *Dialog) string { return offOther(d) }

func offPath(d *Dialog) string {
	switch {
	case offBody(d) != "":
		return offBody(d)
	case d.layer != whole:
		return "paths are those of the whole body: end the filter first"
	case d.tree.Path() == "":
		return "only JSON has paths"
	}
	return ""
}

func offPage(d *Dialog) string {
	if off := offBody(d); off != "" {
		return off
	}
	if _, page := client.ReadPage(d.current().Body); !page {
		return "this is not a web page"
	}
	return ""
}

func offCurl(d *Dialog) string {
	b := d.current()
	switch {
	case b == nil:
		return offBody(d)
	case b.What != bodies.WhatRequest:
		return "only a request can be sent; this is an answer"
	case d.sent == nil:
		return d.noSent
	}
	if _, err := d.sent.Curl(); err != nil {
		return err.Error()
	}
	return ""
}
