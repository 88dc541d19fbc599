// Package refs has the dialogs that choose references, from files and from results, each with a
// preview of the item under the cursor; and their helpers: the recently used folders, and what
// servers say about a URL.
package refs

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/dialogs/paging"
	"darkroom/tui/keys"
	"darkroom/tui/preview"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/files"
)

// ScopeFiles is the scope of the file dialog's keys and actions, TitleFiles its heading in the
// help.
const (
	ScopeFiles = "files"
	TitleFiles = "In the list of files"
)

// Actions that texts name.
const (
	actMark   = ScopeFiles + "." + files.Mark
	actUp     = ScopeFiles + "." + files.Up
	actRecent = ScopeFiles + "." + files.Recent
	actHidden = ScopeFiles + "." + files.Hidden
	actAll    = ScopeFiles + "." + files.All
	actClose  = ScopeFiles + "." + files.Close
	actTake   = ScopeFiles + "." + files.Take
)

// FileCommands is the table of what can be done in the dialog over files.
func FileCommands() []screen.Command[*Files] {
	row := func(verb, title, word string, keys ...string) screen.Command[*Files] {
		return screen.Command[*Files]{ID: ScopeFiles + "." + verb, Title: title, Keys: keys, Word: word,
			Off: func(d *Files) string { return d.list.Off(verb) },
			Do:  func(d *Files) tea.Cmd { return d.follow(d.list.Do(verb)) }}
	}
	return []screen.Command[*Files]{
		row(files.Take, "Add the files, or open the folder", "take", "enter"),
		row(files.Mark, "Mark the file, or complete the path", "mark", "tab", "insert"),
		row(files.Up, "Folder above", "up", "alt+up", "alt+u"),
		row(files.Recent, "Folders that were used", "recent", "alt+r"),
		row(files.Hidden, "Hidden files, or not", "hidden", "alt+h"),
		row(files.All, "Files of every kind, or not", "all kinds", "alt+a"),
		row(files.Close, "Leave the files", "back", "esc"),
	}
}

// Chosen is the answer of the dialog over files, with which it closes.
type Chosen struct{ Paths []string }

// FileOptions are what the dialog over files works with.
type FileOptions struct {
	Keys  keys.Map
	Title string
	// Accepts are the wanted kinds of media; none means all.
	Accepts []string
	// Ending is how the names of the wanted files end where they are no media, as "zip".
	Ending string
	Many   bool
	// Recent are the recently used folders. The dialog begins in the first that exists.
	Recent []string
	// History offers the folders of the newest results; it may be nil.
	History  paging.History
	Previews *preview.Loader // nil shows none
}

// Files is the dialog over files.
type Files struct {
	screen.Base
	o        FileOptions
	commands screen.Commands[*Files]
	list     *files.Model
	beside   beside
}

// Messages of commands, each for the dialog that started its command.
type (
	// listedMsg brings the content of a folder.
	listedMsg struct {
		of   *Files
		list files.Listing
		// stead is the folder that another one was listed in place of, "" for none.
		stead string
		typed bool
	}
	// typedMsg says that a typed path is a medium, or why it is not.
	typedMsg struct {
		of   *Files
		path string
		err  error
	}
	// factsMsg brings facts about the files shown.
	factsMsg struct {
		of    *Files
		facts map[string]files.Fact
	}
	// foldersMsg brings the folders of the newest results.
	foldersMsg struct {
		of   *Files
		dirs []string
	}
)

// NewFiles is the dialog over files.
func NewFiles(o FileOptions) *Files {
	k := o.Keys
	d := &Files{o: o, commands: screen.Bind(k, FileCommands()), beside: beside{loader: o.Previews}}
	d.list = files.New(o.Title, d.begin()[0], o.Accepts, o.Recent)
	d.list.Many, d.list.Ending, d.list.AllKey, d.list.Home = o.Many, o.Ending, k.Keys(actAll), home()
	parts := []string{"enter take", k.Keys(actClose) + " back", k.Keys(actAll) + " all", k.Keys(actUp) + " up", k.Keys(actRecent) + " recent", k.Keys(actHidden) + " hidden"}
	if o.Many {
		parts = slices.Insert(parts, 1, k.Keys(actMark)+" mark")
	}
	d.list.Keys = strings.Join(parts, " · ")
	return d
}

// historyWait bounds a look for the folders of results.
const historyWait = 20 * time.Second

// begin are the folders that the dialog may begin in.
func (d *Files) begin() []string { return append(slices.Clone(d.o.Recent), home()) }

// Init implements screen.Dialog.
func (d *Files) Init() tea.Cmd { return tea.Batch(d.listFirst(), d.resultFolders()) }

// Scope implements screen.Dialog.
func (d *Files) Scope() string { return ScopeFiles }

// Update implements screen.Dialog.
func (d *Files) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return d.follow(d.list.Update(msg))
	case screen.ClickMsg:
		return d.follow(d.list.Click(msg))
	case screen.WheelMsg:
		return d.follow(d.list.Wheel(msg.Delta))
	case screen.ActionMsg:
		return d.commands.Do(d, msg.ID)
	case screen.TickMsg: // also after another size, in which a preview may have room
		return d.see()
	case preview.ReadyMsg:
		d.beside.Take(msg)
	default:
		return d.came(msg)
	}
	return nil
}

// came handles the messages of the dialog's commands.
func (d *Files) came(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case listedMsg:
		if msg.of == d {
			return d.listed(msg)
		}
	case typedMsg:
		if msg.of != d {
			return nil
		}
		if msg.err != nil {
			return screen.Toast(screen.Bad, client.CleanLine(msg.err.Error()))
		}
		d.choose([]string{msg.path})
	case factsMsg:
		if msg.of == d {
			d.list.SetFacts(msg.facts)
			return d.see()
		}
	case foldersMsg:
		if msg.of == d {
			d.list.AddRecent(msg.dirs...)
		}
	}
	return nil
}

func (d *Files) listed(msg listedMsg) tea.Cmd {
	if msg.stead != "" && msg.stead != d.list.Dir() {
		return nil // the person went elsewhere meanwhile
	}
	if msg.stead != "" || msg.typed {
		d.list.Open(msg.list.Dir)
	}
	d.list.SetListing(msg.list)
	return d.see()
}

func (d *Files) choose(paths []string) {
	d.Close()
	d.Answer(Chosen{paths})
}

// follow continues after an event of the list.
func (d *Files) follow(ev files.Event) tea.Cmd {
	switch ev {
	case files.Cancelled:
		d.Close()
	case files.Opening:
		dir := d.list.Dir()
		return func() tea.Msg { return listedMsg{of: d, list: files.List(dir)} }
	case files.Moved:
		return d.see()
	case files.Picked:
		d.choose(d.list.Chosen())
	case files.Typed:
		path := d.list.Path()
		return func() tea.Msg { return typed(d, path) }
	}
	return nil
}

// typed lists a typed folder, or examines a typed file.
func typed(of *Files, path string) tea.Msg {
	if rest, ok := strings.CutPrefix(path, "~"); ok {
		path = filepath.Join(home(), rest)
	}
	path = filepath.Clean(path)
	st, err := os.Stat(path)
	if err == nil && st.IsDir() {
		return listedMsg{of: of, list: files.List(path), typed: true}
	}
	if err == nil && of.o.Ending == "" {
		_, err = client.SniffMedia(path)
	}
	return typedMsg{of, path, err}
}

// listFirst lists the first of the initial folders that still exists; the last one in any case.
func (d *Files) listFirst() tea.Cmd {
	dirs := d.begin()
	return func() tea.Msg {
		msg := listedMsg{of: d}
		for i, dir := range dirs {
			if i > 0 {
				msg.stead = dirs[0]
			}
			if msg.list = files.List(dir); !errors.Is(msg.list.Err, fs.ErrNotExist) {
				break
			}
		}
		return msg
	}
}

// resultFolders finds the folders in which the newest results were saved.
func (d *Files) resultFolders() tea.Cmd {
	h := d.o.History
	if h == nil {
		return nil
	}
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), historyWait)
		defer stop()
		page, err := h.List(ctx, jobs.Query{States: []jobs.State{jobs.Completed}, Limit: maxRecent})
		if err != nil {
			return nil // the folders are a convenience
		}
		out := foldersMsg{of: d}
		for i := range page.Jobs {
			if path, _ := page.Jobs[i].Showpiece(); path != "" && !slices.Contains(out.dirs, filepath.Dir(path)) {
				out.dirs = append(out.dirs, filepath.Dir(path))
			}
		}
		return out
	}
}

// see requests what is shown and not known yet: types and sizes of files, and the preview of the
// one under the cursor.
func (d *Files) see() tea.Cmd {
	var cmd tea.Cmd
	w, h, _ := d.beside.sizes(&d.Base)
	d.list.View(d.Styles, w, h) // says how many rows show
	if list := d.list.Wants(); len(list) > 0 {
		cmd = func() tea.Msg { return factsMsg{d, files.Look(list)} }
	}
	path, dir, ok := d.list.Current()
	if !ok || dir {
		path = ""
	}
	return tea.Batch(cmd, d.beside.see(&d.Base, path, ""))
}

// Closed implements screen.Dialog.
func (d *Files) Closed() { d.beside.forget() }

// View implements screen.Dialog.
func (d *Files) View() string {
	w, h, _ := d.beside.sizes(&d.Base)
	return d.beside.draw(&d.Base, d.list.View(d.Styles, w, h))
}

// Actions implements screen.Dialog.
func (d *Files) Actions() []screen.Action { return d.commands.Actions(d) }

// ShortHelp implements screen.Dialog.
func (d *Files) ShortHelp() []key.Binding {
	ids := []string{actTake, actUp, actMark, actRecent, actHidden, actAll, actClose}
	if !d.o.Many {
		ids = slices.DeleteFunc(ids, func(id string) bool { return id == actMark })
	}
	return d.commands.Line(ids...)
}
