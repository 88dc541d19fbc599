package compose

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/tui/widgets/confirm"
)

// Bounds of what is looked at as dropped files.
const (
	maxDropped     = 64 << 10 // bytes of the text
	maxDroppedList = 100
)

// answerRefs makes dropped files references.
const answerRefs = "refs"

// droppedMsg is a pasted text that may name files; paths are theirs when all of it does.
type droppedMsg struct {
	text  []rune
	field string // that had the focus
	paths []string
	kinds []string
}

func (d *droppedMsg) files() []chosenFile {
	list := make([]chosenFile, len(d.paths))
	for i := range list {
		list[i] = chosenFile{d.paths[i], d.kinds[i]}
	}
	return list
}

// readDropped looks whether a pasted text consists of files that are there, as terminals paste
// what is dropped onto them; false for a text that can not.
func (m *Model) readDropped(runes []rune) (tea.Cmd, bool) {
	if len(runes) > maxDropped || m.room().Alone() || m.nested(m.form.Focused()) { // whose dialog takes lines
		return nil, false
	}
	text := string(runes)
	lists := droppedPaths(text)
	if len(lists) == 0 {
		return nil, false
	}
	field := m.form.Focused()
	return m.lookAt(func() keptText { return keptText{text: string(runes)} }, func() tea.Msg {
		msg := droppedMsg{text: runes, field: field}
		for _, list := range lists {
			if paths, kinds, err := allMedia(list); err == nil {
				msg.paths, msg.kinds = paths, kinds
				break
			}
		}
		return msg
	}), true
}

// allMedia looks whether all of a list are files of media.
func allMedia(list []string) (paths, kinds []string, err error) {
	for _, path := range list {
		if rest, ok := strings.CutPrefix(path, "~/"); ok {
			path = filepath.Join(homeDir(), rest)
		}
		st, err := os.Stat(path)
		if err != nil {
			return nil, nil, err
		}
		if !st.Mode().IsRegular() {
			return nil, nil, errors.New("not a file")
		}
		mt, err := client.SniffMedia(path)
		if err != nil {
			return nil, nil, err
		}
		kind, _, _ := strings.Cut(mt, "/")
		paths, kinds = append(paths, filepath.Clean(path)), append(kinds, kind)
	}
	return paths, kinds, nil
}

// droppedCame makes files references of the field that takes them, or asks. What is no file is
// text.
func (m *Model) droppedCame(msg droppedMsg) tea.Cmd {
	if len(msg.paths) == 0 {
		return m.pasteText(msg.text)
	}
	if f, ok := m.fieldNamed(msg.field); ok && holdsMedia(&f) {
		return m.takeFiles(msg.files(), f.Name)
	}
	said := make([]string, 0, 6)
	for i, p := range msg.paths {
		if i == 5 {
			said = append(said, fmt.Sprintf("and %d more", len(msg.paths)-i))
			break
		}
		said = append(said, client.CleanLine(filepath.Base(p))+" ("+msg.kinds[i]+")")
	}
	ask := confirm.New("Add as references?", strings.Join(said, "\n"), "cancel",
		confirm.Button{ID: answerRefs, Label: "References", Key: "r"},
		confirm.Button{ID: answerText, Label: "As text", Key: "t"},
		confirm.Button{ID: "cancel", Label: "Cancel"})
	m.refs.dropped, m.refs.ask = &msg, &ask
	return nil
}

// droppedPaths are the ways to read a text as absolute paths of this machine, as terminals and
// file managers write them: one a line as they are, as file:// URLs, or words as a shell quotes
// them. Empty where it can not be read so.
func droppedPaths(text string) (ways [][]string) {
	text = strings.Trim(text, " \t\r\n")
	if text == "" || !leads(strings.TrimLeft(text, `'"`)) {
		return nil
	}
	var lines []string
	plain := true
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") { // a list of URIs has remarks
			continue
		}
		path, ok := absolute(line)
		plain = plain && ok
		lines = append(lines, path)
	}
	if plain && len(lines) > 0 && len(lines) <= maxDroppedList {
		ways = append(ways, lines)
	}
	if words, ok := shellWords(text); ok && len(words) <= maxDroppedList {
		for i, w := range words {
			path, ok := absolute(w)
			if !ok {
				return ways
			}
			words[i] = path
		}
		ways = append(ways, words)
	}
	return ways
}

// leads reports whether a text begins as a path does.
func leads(s string) bool {
	return strings.HasPrefix(s, "/") || strings.HasPrefix(s, "~/") || len(s) > 7 && strings.EqualFold(s[:7], "file://")
}

// absolute is the path that a word or a line is.
func absolute(s string) (string, bool) {
	if len(s) > 7 && strings.EqualFold(s[:7], "file://") {
		return client.FilePath("file://" + s[7:])
	}
	return s, leads(s) && !strings.ContainsRune(s, 0)
}

// shellWords parts a text as a shell does: at blanks that are not in quotes and not behind a
// backslash. It is false where a quote does not end.
func shellWords(text string) (words []string, ok bool) {
	var w strings.Builder
	in, quote := false, rune(0)
	escaped := false
	for _, r := range text {
		switch {
		case escaped:
			if quote == '"' && r != '"' && r != '\\' && r != '$' && r != '`' {
				w.WriteByte('\\')
			}
			w.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, in = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			w.WriteRune(r)
		case r == '\'' || r == '"':
			quote, in = r, true
		case r == ' ' || r == '\t' || r == '\n' || r == '\r':
			if in {
				words = append(words, w.String())
			}
			w.Reset()
			in = false
		default:
			w.WriteRune(r)
			in = true
		}
	}
	if quote != 0 || escaped {
		return nil, false
	}
	if in {
		words = append(words, w.String())
	}
	return words, len(words) > 0
}
