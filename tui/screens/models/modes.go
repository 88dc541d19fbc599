package models

import (
	"fmt"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
)

// modes are the ways to use a model, each with its minimum input.
func (s *sheet) modes(x *catalog.Model) {
	k := s.ink
	title := "Modes"
	if x.ModeRequired {
		title += " (one is required)"
	}
	s.head(title)
	for i := range x.Modes {
		mode := &x.Modes[i]
		name := mode.Name
		if name == "" {
			name = "(no mode)"
		}
		s.item(name, cite(strings.Trim(mode.Label+": "+mode.Help, ": "), mode.Source), k.text)
		for j := range mode.Needs {
			text, ink := s.needText(x, &mode.Needs[j]), k.text
			if mode.Needs[j].Severity != "" && mode.Needs[j].Severity != catalog.Block {
				ink = k.muted
			}
			s.more(ink, text)
		}
	}
	if len(x.ModeWith) > 0 {
		var with []string
		for _, f := range x.ModeWith {
			with = append(with, s.catalog.LabelOf(x.Modality, f))
		}
		s.text(k.muted, 2, "with "+strings.Join(with, " or ")+" choose a mode as well")
	}
}

// needText is a part of a minimum input: what is needed, how much, where it goes, and in which
// formats.
func (s *sheet) needText(x *catalog.Model, n *catalog.Need) string {
	lead := "needs "
	switch n.Severity {
	case catalog.Warn:
		lead = "usually has "
	case catalog.Info:
		lead = "may want "
	}
	text := lead + n.Text
	if !slices.Equal(n.AnyOf, []string{client.FieldPrompt}) {
		where := slices.Clone(n.AnyOf)
		for i, f := range where {
			where[i] = s.catalog.LabelOf(x.Modality, f)
			if f == "content" {
				where[i] += contentText(n)
			}
		}
		text += ", in " + strings.Join(where, " or ")
	}
	switch {
	case n.Min > 0 && n.Max > 0:
		text += ", " + itemSpan(n.Min, n.Max)
	case n.Min > 1:
		text += fmt.Sprintf(", a list has at least %d", n.Min)
	case n.Max > 0:
		text += fmt.Sprintf(", at most %d", n.Max)
	}
	if len(n.HardOn) > 0 {
		text += " (more are refused through " + strings.Join(n.HardOn, ", ") + ", unusual elsewhere)"
	}
	if len(n.Formats) > 0 {
		text += " (through " + strings.Join(n.Formats, ", ") + ")"
	}
	return text
}

// contentText says which content items meet a need.
func contentText(n *catalog.Need) string {
	var parts []string
	if len(n.Types) > 0 {
		parts = append(parts, strings.Join(n.Types, " or "))
	}
	if len(n.Roles) > 0 {
		parts = append(parts, "role "+strings.Join(n.Roles, " or "))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}
