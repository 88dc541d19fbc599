package compose

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/chain"
	"darkroom/tui/dialogs/paging"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/finder"
	"darkroom/tui/widgets/format"
)

// results is the dialog over what earlier jobs made.
type results struct {
	dialog *finder.Model // nil when it is not open
	pages  paging.Pager
	shown  map[string]shownResult
}

// shownResult is what there is to see of a job's result.
type shownResult struct{ path, poster string }

// foundMsg brings results of a query.
type foundMsg struct {
	of *finder.Model // the dialog that it was looked for in
	paging.Page
	jobs []jobs.Job
}

// openResults opens the dialog, with what is newest.
func (m *Model) openResults() tea.Cmd {
	if _, ok := m.deps.Jobs.(history); !ok {
		return screen.Toast(screen.Info, "there is no history to look into")
	}
	d := finder.New("Results", "words of a prompt …")
	k := m.deps.Keys
	d.Keys = strings.Join([]string{"enter takes it as a reference", k.Keys("results.show") + " in Queue", "esc back"}, " · ")
	m.refs.found = results{dialog: d, pages: paging.Pager{List: d}, shown: map[string]shownResult{}}
	m.refs.picture = picture{}
	m.onlyPane = false
	return m.lookResults()
}

// lookResults asks for the next page of what was typed.
func (m *Model) lookResults() tea.Cmd {
	r := &m.refs.found
	h, reads := m.deps.Jobs.(history)
	if !reads || r.dialog == nil {
		return nil
	}
	if _, ok := r.pages.Begin(); !ok {
		return nil
	}
	return findResults(r.dialog, h, r.pages.Query, r.pages.Before)
}

// findResults reads the history from a place on until there are enough jobs with a result that
// can be a reference.
func findResults(of *finder.Model, h history, query, before string) tea.Cmd {
	return func() tea.Msg {
		var found []jobs.Job
		got := paging.Read(h, jobs.Query{States: []jobs.State{jobs.Completed}}, query, before, func(j *jobs.Job, words []string) bool {
			if _, err := chain.Take(j, chain.Reference); err != nil || !paging.HasAll(j.Draft.Prompt+" "+j.Draft.Model+" "+j.ID+" "+j.Title, words) {
				return false
			}
			j.Draft.Values, j.Draft.Extra = nil, nil // which may be large
			found = append(found, *j)
			return true
		})
		return foundMsg{of, got, found}
	}
}

// resultsCame takes over what was found, if it is still what is looked for.
func (m *Model) resultsCame(msg foundMsg) tea.Cmd {
	r := &m.refs.found
	if r.dialog == nil || r.dialog != msg.of {
		return nil
	}
	switch {
	case !r.pages.Came(msg.Page):
		return m.lookResults()
	case msg.Err != nil:
		return r.pages.Failed(msg.Err)
	}
	for i := range msg.jobs {
		j := &msg.jobs[i]
		path, poster := j.Showpiece()
		r.shown[j.ID] = shownResult{path, poster}
		text := client.Clean(j.Draft.Prompt)
		if strings.TrimSpace(text) == "" {
			text = "(no prompt) " + client.CleanLine(j.Title)
		}
		r.dialog.Add(finder.Item{ID: j.ID, Text: text, Detail: m.resultDetail(j)})
	}
	if r.pages.Wanting("no job has a picture, a video or a sound yet", "no result has these words") {
		return m.lookResults()
	}
	if r.dialog.Len() == 0 {
		return nil
	}
	return m.seeResult()
}

func (m *Model) resultDetail(j *jobs.Job) string {
	kind := string(j.Draft.Modality)
	if !slices.ContainsFunc(j.Files, func(f jobs.File) bool { return f.Here() }) {
		kind = "not saved  " + kind
	}
	parts := []string{kind, client.CleanLine(j.Draft.Model)}
	if m.deps.Now != nil && !j.CreatedAt.IsZero() {
		parts = append(parts, format.Age(m.deps.Now().Sub(j.CreatedAt)))
	}
	return strings.Join(parts, "  ")
}

// seeResult asks for the preview of the result under the cursor.
func (m *Model) seeResult() tea.Cmd {
	_, h := m.refsSize()
	it, ok := m.refs.found.dialog.Current()
	if !ok {
		return m.see("", "", h)
	}
	s := m.refs.found.shown[it.ID]
	return m.see(s.path, s.poster, h)
}

// resultsDo does an action of the dialog by its name.
func (m *Model) resultsDo(verb string) tea.Cmd {
	switch verb {
	case "take":
		return m.resultsEvent(finder.Picked)
	case "show":
		if it, ok := m.refs.found.dialog.Current(); ok {
			return screen.Open(screen.Queue, screen.ShowJob{JobID: it.ID})
		}
	case "close":
		return m.resultsEvent(finder.Cancelled)
	}
	return nil
}

func (m *Model) resultsEvent(ev finder.Event) tea.Cmd {
	r := &m.refs.found
	switch ev {
	case finder.Changed:
		return tea.Batch(m.lookResults(), m.seeResult())
	case finder.Wanting:
		return tea.Batch(m.lookResults(), m.seeResult())
	case finder.Cancelled:
		m.closeResults()
		return nil
	case finder.Picked:
		it, ok := r.dialog.Current()
		h, reads := m.deps.Jobs.(history)
		if !ok || !reads {
			return nil
		}
		m.closeResults()
		field, _, _ := m.refField()
		return readResult(h, it.ID, refMsg{use: chain.Reference, field: field, at: m.asks()}, m.deps.Frames)
	}
	return m.seeResult()
}

func (m *Model) closeResults() {
	m.refs.found = results{}
	if m.deps.Previews != nil {
		m.deps.Previews.Cancel(refSlot)
	}
}
