package queue

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/form"
	"darkroom/tui/widgets/zone"
)

// parseFilter reads a filter: words that each stand somewhere in prompt, ids, title, error,
// note, tags or remark, and name:value terms. States, kinds and models may be shortened to their
// beginning, so that a term means something while it is typed, and a * in a model stands for any text; several states may be given, with commas or as
// several terms. What stands in double quotes is one text, whatever it looks like.
func parseFilter(text string) (jobs.Query, error) {
	var (
		q     jobs.Query
		words []string
	)
	for _, w := range splitFilter(text) {
		name, value, ok := strings.Cut(w.text, ":")
		if w.quoted || !ok || !isName(name) || strings.HasPrefix(value, "//") {
			words = append(words, w.String())
			continue
		}
		if err := term(&q, strings.ToLower(name), value); err != nil {
			return q, err
		}
	}
	q.Text = strings.Join(words, " ")
	return q, nil
}

// term adds a term to a query. A term without a value yet adds nothing.
func term(q *jobs.Query, name, value string) error {
	switch name {
	case "state", "status":
		for s := range strings.SplitSeq(value, ",") {
			if err := addStates(q, s); err != nil {
				return err
			}
		}
	case "kind":
		if value == "" {
			return nil
		}
		i := slices.IndexFunc(client.Modalities(), func(k client.Modality) bool { return hasPrefix(string(k), value) })
		if i < 0 {
			return fmt.Errorf("kind:%s: try video, image, music, speech, chat", value)
		}
		q.Modality = client.Modalities()[i]
	case "model":
		if q.Model = value; value != "" && !strings.HasSuffix(value, "*") {
			q.Model += "*"
		}
	case "id":
		q.TaskID = value
	case "group":
		q.Group = value
	case "profile":
		q.Profile = value
	case "tag":
		q.Tag = value
	case "is":
		if !hasPrefix(jobs.Star, value) {
			return fmt.Errorf("is:%s: only is:%s exists", value, jobs.Star)
		}
		q.Starred = value != ""
	default:
		return fmt.Errorf("%s: is not a filter; try state: kind: model: id: tag: is: group: profile:, and \"…\" for text", name)
	}
	return nil
}

// addStates adds the states that begin with a text.
func addStates(q *jobs.Query, text string) error {
	if text == "" {
		return nil
	}
	found := false
	for _, s := range jobs.States() {
		if hasPrefix(string(s), text) {
			found = true
			if !slices.Contains(q.States, s) {
				q.States = append(q.States, s)
			}
		}
	}
	if found {
		return nil
	}
	var names []string
	for _, s := range jobs.States() {
		names = append(names, string(s))
	}
	return fmt.Errorf("state:%s: try %s", text, strings.Join(names, ", "))
}

func hasPrefix(s, prefix string) bool { return strings.HasPrefix(s, strings.ToLower(prefix)) }

// isName reports whether a term's name can be meant as one: 12:30 is plain text.
func isName(s string) bool {
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return false
		}
	}
	return s != ""
}

// word is a part of a filter.
type word struct {
	text   string
	quoted bool
}

// String is the word as a search has it.
func (w word) String() string {
	if w.quoted {
		return `"` + w.text + `"`
	}
	return w.text
}

// splitFilter takes a filter apart at blanks and quotes. A quote that is still open
// reaches to the end.
func splitFilter(s string) []word {
	var out []word
	for {
		s = strings.TrimSpace(s)
		if s == "" {
			return out
		}
		if rest, ok := strings.CutPrefix(s, `"`); ok {
			text, after, _ := strings.Cut(rest, `"`)
			if text != "" {
				out = append(out, word{text, true})
			}
			s = after
			continue
		}
		fields := strings.Fields(s)
		out = append(out, word{text: fields[0]})
		s = s[len(fields[0]):]
	}
}

// matches reports whether a query selects a job, as the history would decide it.
func matches(q *jobs.Query, j *jobs.Job) bool {
	switch {
	case len(q.States) > 0 && !slices.Contains(q.States, j.State),
		!q.HasModel(j.Draft.Model),
		q.Modality != "" && q.Modality != j.Draft.Modality,
		q.Group != "" && q.Group != j.Group,
		q.Tag != "" && !slices.Contains(j.Tags, q.Tag),
		q.Starred && !j.Starred(),
		q.Parent != "" && !slices.ContainsFunc(j.Draft.Parents, func(p client.Parent) bool { return p.Job == q.Parent }),
		q.Profile != "" && q.Profile != j.Profile,
		q.TaskID != "" && q.TaskID != j.ID && q.TaskID != j.TaskID && !slices.Contains(j.AltIDs, q.TaskID):
		return false
	}
	if q.Text == "" {
		return true
	}
	texts := j.SearchTexts()
	return jobs.HasWords(jobs.SearchWords(q.Text), texts[:]...)
}

// filterHelp stands in the line of the filter as long as nothing is typed.
const filterHelp = `words  "a text"  state:failed  kind:image  is:starred  model:NAME  profile:all`

// maxFilter bounds the length of the filter, in characters.
const maxFilter = 500

// filterBar is the line of the filter.
type filterBar struct {
	input  *form.Editor
	paper  form.Paper
	typing bool
	wrong  string // what is wrong with the filter, "" for nothing
}

func newFilterBar() filterBar {
	in := form.NewEditor(false)
	in.Limit = maxFilter
	return filterBar{input: in}
}

func (f *filterBar) setStyles(k *kit) { f.paper = form.NewPaper(k.st) }

// text is the filter as it was typed.
func (f *filterBar) text() string { return f.input.Value() }

func (f *filterBar) begin() { f.typing = true }

func (f *filterBar) end() { f.typing = false }

// key takes a key while the filter is typed, and reports whether the text has changed.
func (f *filterBar) key(msg tea.KeyMsg) (changed bool) {
	before := f.text()
	switch msg.String() {
	case "enter", "down", "tab":
		f.end()
		return false
	case "esc":
		f.end()
		f.input.SetValue("")
		return before != ""
	}
	if msg.Type == tea.KeyRunes { // typed and pasted text is made safe to draw
		msg.Runes = []rune(client.CleanLine(string(msg.Runes)))
	}
	_, changed = f.input.Update(msg, 0)
	return changed
}

// parse reads the filter; false where it says nothing.
func (f *filterBar) parse() (jobs.Query, bool) {
	q, err := parseFilter(f.text())
	f.wrong = ""
	if err != nil {
		f.wrong = client.CleanLine(err.Error())
	}
	return q, err == nil
}

// view is the line in w cells.
func (f *filterBar) view(k *kit, w int) string {
	line := ""
	switch {
	case f.typing:
		line = k.ink.Accent.Text("/ ") + f.input.Field(f.paper, filterHelp, true, w-2)
	case f.text() != "":
		hint := k.ink.Faint.Text(k.keys.Keys(actBack) + " clears")
		line = widgets.Spread(k.ink.Accent.Text("/ ")+k.ink.Text.Text(widgets.Truncate(client.CleanLine(f.text()), w-14)), hint, w)
	default:
		line = k.ink.Faint.Text(k.keys.Keys(actFilter) + " filter")
	}
	return zone.Mark("filter", widgets.Line(line, w))
}
