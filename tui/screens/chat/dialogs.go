package chat

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/client/kept"
	"darkroom/tui/talk"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/confirm"
	"darkroom/tui/widgets/picker"
)

// Items of the list of models. A name may hold anything, and ids are marks within the frame, so
// they are escaped.
const (
	typed    = "typed" // takes what was typed as the name
	remark   = "remark"
	nameMark = "name:"
)

func nameID(name string) string { return nameMark + url.QueryEscape(name) }

// nameOf is the name that an item stands for.
func nameOf(it picker.Item, query string) string {
	if it.ID == typed {
		return strings.TrimSpace(query)
	}
	name, err := url.QueryUnescape(strings.TrimPrefix(it.ID, nameMark))
	if err != nil {
		return it.Title
	}
	return name
}

// pickModel opens the list of models; the gateway's lists are asked once.
func (m *Model) pickModel() tea.Cmd {
	var cmd tea.Cmd
	if !m.remote.have && !m.remote.busy {
		m.remote.busy = true
		cmd = models(m.deps.Gateway)
	}
	m.dialog = dialog{kind: modelDialog, picker: picker.New("Model", "name of a model …", nil)}
	m.dialog.picker.SetItems(m.modelItems(""))
	m.dialog.picker.Select(nameID(m.model.Value()))
	return cmd
}

// modelItems are what was typed, the models of kept conversations, and those of the gateway's
// lists; the gateway does not say which of these can chat.
func (m *Model) modelItems(query string) []picker.Item {
	var out []picker.Item
	seen := map[string]bool{}
	if q := strings.TrimSpace(query); q != "" {
		// Its text stands in the detail, so that it comes after all that is found by name.
		out = append(out, picker.Item{ID: typed, Title: "❯", Detail: client.CleanLine(q) + "  exactly as typed"})
	}
	for _, c := range append([]kept.Conversation{{Model: m.model.Value()}, m.keep.began}, m.list...) {
		if name := strings.TrimSpace(c.Model); name != "" && !seen[name] {
			seen[name] = true
			out = append(out, picker.Item{ID: nameID(name), Title: client.CleanLine(name), Group: "Used in conversations"})
		}
	}
	const group, talkers = "Other models", "Chat models"
	listed := slices.Clone(m.remote.list.Models)
	slices.SortStableFunc(listed, func(a, b client.RemoteModel) int { return rank(a) - rank(b) })
	for _, r := range listed {
		if r.ID == "" || seen[r.ID] {
			continue
		}
		seen[r.ID] = true
		group := group
		if rank(r) == 0 {
			group = talkers
		}
		detail := strings.Join(abilities(r.Methods), ", ")
		if r.DisplayName != "" && r.DisplayName != r.ID {
			detail = strings.TrimPrefix(r.DisplayName+", "+detail, ", ")
		}
		out = append(out, picker.Item{ID: nameID(r.ID), Title: client.CleanLine(r.ID), Detail: client.CleanLine(strings.TrimSuffix(detail, ", ")), Group: group})
	}
	switch {
	case m.remote.busy:
		out = append(out, picker.Item{ID: remark, Title: "asking the gateway …", Off: "the list is on its way", Group: group})
	case m.remote.err != nil:
		out = append(out, picker.Item{ID: remark, Title: "the gateway's list did not come", Off: client.CleanLine(m.remote.err.Error()), Group: group})
	}
	return out
}

// abilities are the methods of a model as a person calls them: Gemini's names say what is made.
func abilities(methods []string) (out []string) {
	for _, x := range methods {
		kind, made := strings.CutPrefix(x, "generate")
		switch kind = strings.ToLower(strings.TrimSuffix(kind, "s")); {
		case made && kind == "content":
			x = "chat"
		case made && slices.Contains([]string{"video", "image", "music", "speech", "audio"}, kind):
			x = kind
		}
		out = append(out, x)
	}
	return out
}

// rank is 0 for a model that is listed as one that talks, 1 for others: many gateways do not say.
func rank(r client.RemoteModel) int {
	if slices.ContainsFunc(r.Methods, func(s string) bool { return s == "generateContent" || strings.Contains(s, "chat") }) {
		return 0
	}
	return 1
}

// pickConversation opens the list of kept conversations, once this one is saved as it is.
func (m *Model) pickConversation() tea.Cmd {
	m.dialog = dialog{kind: listDialog, picker: picker.New("Conversations", "a word of the title, a model …", m.listItems())}
	m.dialog.picker.Select(m.talk.conv.ID)
	return tea.Sequence(m.keep.save(m.snapshot), list(m.deps.Store, false))
}

func (m *Model) askDelete() {
	c := m.snapshot().conv
	title := c.Title
	if title == "" {
		title = "untitled"
	}
	m.dialog = dialog{kind: deleteDialog, id: title, ask: confirm.New("Delete this conversation?",
		fmt.Sprintf("“%s”, %s. It cannot be brought back.", title, messages(len(c.Messages))), "keep",
		confirm.Button{ID: "keep", Label: "Keep", Key: "k"}, confirm.Button{ID: "delete", Label: "Delete", Key: "d"})}
}

func messages(n int) string {
	if n == 1 {
		return "1 message"
	}
	return human.Count(n) + " messages"
}

func (m *Model) listItems() []picker.Item {
	out := make([]picker.Item, 0, len(m.list))
	now := m.deps.Now()
	for i := range m.list {
		c := &m.list[i]
		title := client.CleanLine(c.Title)
		if title == "" {
			title = "untitled"
		}
		detail := messages(c.Count)
		if c.Draft != "" {
			detail += ", one unsent"
		}
		if c.Model != "" {
			detail += " · " + widgets.Truncate(client.CleanLine(c.Model), 24)
		}
		out = append(out, picker.Item{ID: c.ID, Title: title, Detail: detail, Keys: human.Age(now.Sub(c.Updated))})
	}
	return out
}

// codesDialog asks which block of code to copy.
func codesDialog(list []string) dialog {
	var items []picker.Item
	for i, c := range list {
		title := talk.Title(c)
		if title == "" {
			title = "(empty)"
		}
		items = append(items, picker.Item{ID: strconv.Itoa(i), Title: title, Detail: fmt.Sprintf("%d lines", strings.Count(c, "\n"))})
	}
	d := dialog{kind: codeDialog, codes: list, picker: picker.New("Copy which code?", "", items)}
	d.picker.Select(strconv.Itoa(len(list) - 1))
	return d
}

// answered handles what was picked or decided in the dialog, and closes it.
func (m *Model) answered(c choice) tea.Cmd {
	if !c.over {
		return nil
	}
	d := m.dialog
	m.dialog = dialog{}
	switch {
	case !c.taken:
		return nil
	case d.kind == deleteDialog:
		return m.remove(d.id)
	case d.kind == modelDialog:
		m.model.SetValue(nameOf(c.item, d.picker.Query()))
		m.setFocus(inputPane)
		return m.keep.changed()
	case d.kind == listDialog && c.item.ID != m.talk.conv.ID:
		return load(m.deps.Store, c.item.ID)
	case d.kind == codeDialog:
		if i, err := strconv.Atoi(c.item.ID); err == nil && i < len(d.codes) {
			return copyText(client.Clean(d.codes[i]), "the code")
		}
	}
	return nil
}

// remove deletes the conversation that shows, and begins another.
func (m *Model) remove(title string) tea.Cmd {
	var cmd tea.Cmd
	if w := m.keep.writer; w != nil {
		cmd = remove(w, m.talk.conv.ID, m.keep.key, title)
	}
	m.show(kept.Conversation{Model: m.model.Value(), System: m.system.Value()})
	return cmd
}
