package chat

import (
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/improve"
	"darkroom/client/kept"
)

const (
	// saveAfter is how long a change may stay unsaved, counted from the first one.
	saveAfter = 300 * time.Millisecond
	// partEvery is the time between two looks at what has arrived: 20 a second.
	partEvery = 50 * time.Millisecond
	// flushWait bounds the wait for what the client has received of an abandoned answer.
	flushWait = 300 * time.Millisecond
	// modelsLimit bounds how long asking for the lists of models may take.
	modelsLimit = 30 * time.Second
)

// list reads what was saved. At the start it reads the newest conversation as well, past those in which
// Compose had prompts improved: they are over, and their system prompt is no other talk's.
func list(st Store, first bool) tea.Cmd {
	return func() tea.Msg {
		msg := listedMsg{first: first}
		msg.list, msg.err = st.List()
		at := slices.IndexFunc(msg.list, func(c kept.Conversation) bool { return !improve.Instructs(c.System) })
		if first && at >= 0 {
			msg.newest, msg.loadErr = st.Load(msg.list[at].ID)
			msg.have = msg.loadErr == nil
		}
		return msg
	}
}

func load(st Store, id string) tea.Cmd {
	return func() tea.Msg {
		c, err := st.Load(id)
		return openedMsg{conv: c, err: err}
	}
}

func remove(w *writer, id string, key int, title string) tea.Cmd {
	return func() tea.Msg { return deletedMsg{title: title, err: w.remove(id, key)} }
}

func store(w *writer, s snapshot) tea.Cmd {
	return func() tea.Msg {
		id, err := w.write(s)
		return savedMsg{key: s.key, revision: s.revision, kept: id, err: err}
	}
}

// saveLater wakes up once, to write what has changed by then.
func saveLater() tea.Cmd { return tea.Tick(saveAfter, func(time.Time) tea.Msg { return saveTick{} }) }

func models(g Gateway) tea.Cmd {
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), modelsLimit)
		defer stop()
		l, err := g.Models(ctx)
		return modelsMsg{list: l, err: err}
	}
}
