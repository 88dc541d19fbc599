package compose

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/confirm"
	"darkroom/tui/widgets/files"
	"darkroom/tui/widgets/overlay"
)

// refs is what goes on with references from files and results: at most one of its dialogs is
// open.
type refs struct {
	files  *files.Model // picks files; nil when it is not open
	field  string       // the field that they are for, "" for whichever takes them
	used   []string     // folders that were used, newest first
	untold bool         // that they can not be kept was told

	found results // a dialog over results

	dropped *droppedMsg // files that were pasted into a text: what to do with them is asked
	heads   *headsMsg   // what servers said of URLs, until somebody has looked at it
	ask     *confirm.Model
	asking  bool // a HEAD is on its way

	picture  picture
	pictures int // the width of the preview that shows, 0 for none
}

// picture is the preview beside a dialog.
type picture struct {
	wanted preview.Key
	got    preview.ReadyMsg
	have   bool
}

// Scopes of the keys and actions of the dialogs.
const (
	scopeFiles   = "files"
	scopeResults = "results"
)

// open reports whether a dialog is.
func (r *refs) open() bool { return r.files != nil || r.found.dialog != nil || r.ask != nil }

// refsCame takes what commands found out.
func (m *Model) refsCame(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case refMsg:
		return m.refCame(msg)
	case filesMsg:
		return m.filesCame(msg)
	case factsMsg:
		if m.refs.files != nil {
			m.refs.files.SetFacts(msg.facts)
			return m.seeFiles()
		}
	case usedMsg:
		return m.usedCame(msg)
	case foldersMsg:
		if m.refs.files != nil {
			m.refs.files.AddRecent(msg.dirs...)
		}
	case droppedMsg:
		return m.droppedCame(msg)
	case foundMsg:
		return m.resultsCame(msg)
	case headsMsg:
		return m.headsCame(msg)
	case originMsg:
		return m.originCame(msg)
	case preview.ReadyMsg:
		if p := &m.refs.picture; msg.Key == p.wanted {
			p.got, p.have = msg, true
		}
	}
	return nil
}

// refsKey is a key while one of the dialogs is open.
func (m *Model) refsKey(k tea.KeyMsg) tea.Cmd {
	r := &m.refs
	name := k.String()
	switch {
	case r.ask != nil:
		if k.Paste {
			return nil
		}
		return m.refsAnswered(r.ask.HandleKey(name))
	case r.files != nil:
		if id, ok := m.deps.Keys.Lookup(scopeFiles, name); ok && !k.Paste {
			return m.filesEvent(r.files.Do(strings.TrimPrefix(id, scopeFiles+".")))
		}
		return m.filesEvent(r.files.Key(k))
	default:
		if id, ok := m.deps.Keys.Lookup(scopeResults, name); ok && !k.Paste {
			return m.resultsDo(strings.TrimPrefix(id, scopeResults+"."))
		}
		return m.resultsEvent(r.found.dialog.Key(k))
	}
}

func (m *Model) refsClick(msg screen.ClickMsg) tea.Cmd {
	switch r := &m.refs; {
	case r.ask != nil:
		return m.refsAnswered(r.ask.Click(msg.Zone))
	case r.files != nil:
		return m.filesEvent(r.files.Click(msg.Zone, msg.Double))
	default:
		return m.resultsEvent(r.found.dialog.Click(msg.Zone, msg.Double))
	}
}

func (m *Model) refsWheel(delta int) tea.Cmd {
	switch r := &m.refs; {
	case r.ask != nil:
		return nil
	case r.files != nil:
		return m.filesEvent(r.files.Wheel(delta))
	default:
		return m.resultsEvent(r.found.dialog.Wheel(delta))
	}
}

// refsDo does an action of references by its id; false when it is none.
func (m *Model) refsDo(id string) (tea.Cmd, bool) {
	if verb, ok := strings.CutPrefix(id, scopeFiles+"."); ok {
		if m.refs.files == nil {
			return nil, true
		}
		return m.filesEvent(m.refs.files.Do(verb)), true
	}
	if verb, ok := strings.CutPrefix(id, scopeResults+"."); ok {
		if m.refs.found.dialog == nil {
			return nil, true
		}
		return m.resultsDo(verb), true
	}
	switch strings.TrimPrefix(id, scope+".") {
	case "pick-file":
		return m.openFiles(), true
	case "from-results":
		return m.openResults(), true
	case "ref-up":
		return m.moveRef(-1), true
	case "ref-down":
		return m.moveRef(1), true
	case "ref-name":
		return m.nameRef(), true
	case "check-url":
		return m.checkURLs(), true
	case "take-late":
		return m.takeLate(), true
	}
	return nil, false
}

// refsAnswered follows the answer to a question about references.
func (m *Model) refsAnswered(id string) tea.Cmd {
	if id == "" {
		return nil
	}
	r := &m.refs
	dropped := r.dropped
	r.ask, r.dropped = nil, nil
	if dropped == nil {
		r.heads = nil
		return nil
	}
	switch id {
	case answerRefs: // what has waited was typed where the focus is still
		typed := m.goOnTyping(askedFirst)
		return tea.Batch(m.takeFiles(dropped.files(), ""), typed)
	case answerText:
		return tea.Batch(m.pasteText(dropped.text), m.goOnTyping(askedFirst))
	}
	return m.goOnTyping(askedFirst)
}

// refsView draws the dialog that is open over the screen.
func (m *Model) refsView(view string) string {
	r := &m.refs
	switch {
	case r.ask != nil:
		return overlay.Dialog(m.st, view, r.ask.View(m.st, min(m.w, 84), min(m.h, 22)))
	case r.files != nil:
		w, h := m.refsSize()
		return overlay.Dialog(m.st, view, m.withPicture(r.files.View(m.st, w, h), h))
	default:
		w, h := m.refsSize()
		return overlay.Dialog(m.st, view, m.withPicture(r.found.dialog.View(m.st, w, h), h))
	}
}

// Room for a preview beside a dialog.
const (
	pictureFrom  = 96 // cells of the screen from which there is one
	pictureMost  = 64 // its width at most
	refsWide     = 96 // of the dialog at most
	pictureLeast = 10 // lines of the screen
)

// refsSize is the size of the dialog; refs.pictures says how wide the preview beside it is.
func (m *Model) refsSize() (w, h int) {
	w, h = min(m.w, refsWide), min(m.h, 40)
	m.refs.pictures = 0
	if m.deps.Previews != nil && m.w >= pictureFrom && m.h >= pictureLeast {
		m.refs.pictures = min(pictureMost, m.w*2/5)
		w = min(m.w-m.refs.pictures, refsWide)
	}
	return w, h
}

// refsActions are what the palette offers of references.
func (m *Model) refsActions() []screen.Action {
	k := m.deps.Keys
	act := func(id, off string) screen.Action {
		return screen.Action{ID: id, Title: k.Title(id), Off: off}
	}
	var out []screen.Action
	if d := m.refs.files; d != nil {
		for _, verb := range files.Actions() {
			out = append(out, act(scopeFiles+"."+verb, d.Off(verb)))
		}
	}
	if d := m.refs.found.dialog; d != nil {
		off := ""
		if d.Len() == 0 {
			off = "nothing is found"
		}
		out = append(out, act(scopeResults+".take", off), act(scopeResults+".show", off), act(scopeResults+".close", ""))
	}
	return append(out, act(scope+".pick-file", ""), act(scope+".from-results", ""), act(scope+".ref-up", m.offMove(-1)),
		act(scope+".ref-down", m.offMove(1)), act(scope+".ref-name", m.offName()), act(scope+".check-url", m.offCheck()), act(scope+".take-late", m.offLate()))
}

// refsBindings are the keys of the dialog that is open, for the help line.
func (m *Model) refsBindings() []key.Binding {
	k := m.deps.Keys
	fixed := func(keys, what string) key.Binding {
		return key.NewBinding(key.WithKeys(keys), key.WithHelp(keys, what))
	}
	switch r := &m.refs; {
	case r.dropped != nil:
		return []key.Binding{fixed("r", "as references"), fixed("t", "as text"), fixed("esc", "cancel")}
	case r.ask != nil:
		return []key.Binding{fixed("esc", "close")}
	case r.files != nil:
		out := []key.Binding{k.Short("files.take", "take"), k.Short("files.up", "up")}
		if r.files.Many {
			out = append(out, k.Short("files.mark", "mark"))
		}
		return append(out, k.Short("files.recent", "recent"), k.Short("files.hidden", "hidden"), k.Short("files.all", "all kinds"), k.Short("files.close", "back"))
	default:
		return []key.Binding{k.Short("results.take", "take"), k.Short("results.show", "in Queue"), k.Short("results.close", "back")}
	}
}

// withRefs adds what can be done with references to the help.
func (m *Model) withRefs(groups [][]key.Binding) [][]key.Binding {
	k := m.deps.Keys
	return append(groups, k.Bindings("compose.pick-file", "compose.from-results", "compose.ref-up", "compose.ref-down",
		"compose.ref-name", "compose.check-url", "compose.take-late"))
}
