package queue

import (
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/preview"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/format"
	"darkroom/tui/widgets/jsonview"
)

const (
	previewSlot  = "queue.detail"
	stamp        = "2006-01-02 15:04:05"
	maxPictLines = 24
)

// detailBox is everything about the job under the cursor.
func (m *Model) detailBox(w, h int) string {
	st := m.st
	if m.current == "" {
		return widgets.Box(st, "Detail", "", "\n"+st.Muted.Render("no job"), w, h, false)
	}
	focus := m.focus == detailPane || !m.wide()
	iw, _ := widgets.Inner(w, h)
	tabs := make([]widgets.Tab, sections)
	for i, n := range sectionNames {
		tabs[i] = widgets.Tab{ID: n, Label: n}
	}
	line := widgets.Tabs(st, tabs, sectionNames[m.section], iw)
	body := line + "\n" + m.scroll.View(st)
	title := "Job " + shortID(m.current)
	parts := []widgets.Part{}
	if ph := m.pictureHeight(h); ph > 0 {
		parts = append(parts, widgets.Part{Title: title, Content: m.pictureView(iw, ph), Height: ph})
		title = ""
	}
	parts = append(parts, widgets.Part{Title: title, Content: body})
	return widgets.Stack(st, parts, "", w, h, focus)
}

// pictureHeight is the room for the preview in lines, 0 for none.
func (m *Model) pictureHeight(h int) int {
	if !m.picture || m.deps.Previews == nil || h < 16 || m.current == "" {
		return 0
	}
	if p, _ := m.media(); p == "" {
		return 0
	}
	return min(maxPictLines, h*2/5)
}

// media are the file to preview, and a picture that stands for it.
func (m *Model) media() (path, poster string) {
	for _, f := range m.detail.Job.Files {
		if f.State != jobs.FileSaved {
			continue
		}
		switch f.Kind {
		case client.AssetVideo, client.AssetImage, client.AssetAudio:
			if path == "" {
				path = f.Path
			}
		case client.AssetCover:
			poster = f.Path
		case client.AssetLastFrame:
			if poster == "" {
				poster = f.Path
			}
		}
	}
	if path == "" {
		path = poster
	}
	return path, poster
}

// loadPicture asks for the preview when it is another one than the last.
func (m *Model) loadPicture() tea.Cmd {
	h := m.pictureHeight(m.h)
	if h == 0 {
		return nil
	}
	iw, _ := widgets.Inner(m.detailWidth(), m.h)
	path, poster := m.media()
	r := preview.Request{Slot: previewSlot, Path: path, Poster: poster, Width: iw, Height: h, Mode: preview.ModeOf(m.st)}
	if r.Key() == m.wanted {
		return nil
	}
	m.wanted = r.Key()
	m.got, m.havePict = m.deps.Previews.Peek(r)
	return m.deps.Previews.Load(r)
}

func (m *Model) pictureView(w, h int) string {
	switch {
	case !m.havePict:
		return widgets.Fit(m.st.Faint.Render("preview …"), w, h)
	case m.got.Lines != nil:
		return strings.Join(m.got.Lines, "\n")
	default:
		return preview.Card(m.st, m.got.Info, w, h)
	}
}

// fillDetail makes the lines of the section that shows.
func (m *Model) fillDetail() {
	if m.current == "" || !m.detailShows() {
		return
	}
	w, h := m.detailWidth(), m.h
	iw, ih := widgets.Inner(w, h)
	if ph := m.pictureHeight(h); ph > 0 {
		ih -= ph + 1
	}
	m.scroll.SetSize(iw, max(0, ih-1))
	m.scroll.SetLines(m.lines(iw - 1))
}

func (m *Model) lines(w int) []string {
	switch {
	case m.section != facts && m.detailErr != nil:
		return widgets.WrapLines(m.st.Bad.Render(client.Clean(m.detailErr.Error())), w, 20)
	case m.section != facts && !m.have:
		return []string{m.st.Muted.Render("reading …")}
	}
	switch m.section {
	case timeline:
		return m.timelineLines(w)
	case request:
		return m.bodyLines(m.detail.Request, "no request was kept")
	case answer:
		return m.bodyLines(m.detail.Answer, "the gateway has not answered yet")
	default:
		return m.factLines(w)
	}
}

func (m *Model) bodyLines(body []byte, none string) []string {
	if len(body) == 0 {
		return []string{m.st.Muted.Render(none)}
	}
	return jsonview.Render(m.st, body, client.CleanLine)
}

func (m *Model) timelineLines(w int) []string {
	var out []string
	var last time.Time
	for _, e := range m.detail.Events {
		gap := ""
		if !last.IsZero() {
			gap = "+" + format.Dur(e.At.Sub(last))
		}
		last = e.At
		what := string(e.Kind)
		if e.To != "" && string(e.To) != what {
			what += " → " + string(e.To)
		}
		if e.RawStatus != "" {
			what += " (" + client.CleanLine(e.RawStatus) + ")"
		}
		out = append(out, m.st.Muted.Render(e.At.Local().Format("15:04:05.000"))+" "+m.st.Faint.Render(widgets.PadLeft(gap, 8))+"  "+what)
		text := client.CleanLine(e.Message)
		if e.HTTPStatus != 0 {
			text = strings.TrimSpace(fmt.Sprintf("HTTP %d %s", e.HTTPStatus, text))
		}
		if e.RequestID != "" {
			text = strings.TrimSpace(text + "  request id " + client.CleanLine(e.RequestID))
		}
		if text != "" {
			for _, l := range widgets.WrapLines(text, max(10, w-23), 6) {
				out = append(out, strings.Repeat(" ", 23)+m.st.Muted.Render(l))
			}
		}
	}
	return out
}
