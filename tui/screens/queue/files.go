package queue

import (
	"path/filepath"
	"strings"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/tui/widgets"
	"darkroom/tui/widgets/format"
)

// files are where the results are: on the disk, on their way, or at the gateway only.
func (m *Model) files(s *sheet, j *jobs.Job, code widgets.Ink) {
	if m.picture.have && m.picture.got.Err == nil && m.pictureHeight() > 0 {
		s.add("Media", client.CleanLine(m.picture.got.Info.Line()))
		var told []string
		for _, t := range m.picture.got.Info.Tags {
			told = append(told, t.Name+": "+t.Value)
		}
		s.add("In the file", strings.Join(told, "\n"))
		m.sung(s, "Lyrics in it", m.picture.got.Info.Lyrics)
	}
	dir := j.Folder()
	for i := range j.Files {
		f := &j.Files[i]
		label := kindText(f.Kind)
		switch f.State {
		case jobs.FileSaved:
			if f.Elsewhere {
				s.paint(label, "saved by another installation, as "+client.CleanLine(f.Path)+"; "+m.deps.Keys.Keys("queue.download")+" fetches it to here", m.ink.muted)
				break
			}
			name := f.Path
			if dir != "" {
				name = filepath.Base(name)
			}
			s.paint(label, client.CleanLine(name)+"  "+format.Bytes(f.Bytes), widgets.NewInk(m.st.Good))
		case jobs.FileFailed:
			s.paint(label, "✗ "+client.Clean(clip(f.Error, 2000)), m.ink.bad)
		case jobs.FileFetching:
			text := "saving, " + format.Bytes(f.Bytes)
			if f.Total > 0 {
				p := min(float64(f.Bytes)/float64(f.Total), 1)
				text = m.ink.bars[int(p*2*barWidth)] + " " + format.Percent(p) + ", " + format.Bytes(f.Bytes) + " of " + format.Bytes(f.Total)
			}
			s.paint(label, text, widgets.NewInk(m.st.StateRunning))
		case jobs.FileWanted:
			s.paint(label, m.waits(j, f), m.ink.muted)
		}
	}
	if dir != "" && dir != "." {
		s.add("Folder", client.CleanLine(dir))
	}
	if len(j.Files) > 0 {
		return
	}
	for i := range j.Assets {
		where := oneLine(j.Assets[i].URL, maxValue)
		if where == "" {
			where = "at the gateway, not downloaded"
		}
		s.paint(kindText(j.Assets[i].Kind), where, code)
	}
}

// sung are lyrics, line by line, unless they stand there already.
func (m *Model) sung(s *sheet, label, text string) {
	text = strings.TrimSpace(client.Clean(clip(text, maxText)))
	for i := range s.all {
		if s.all[i].value == text {
			return
		}
	}
	if text != "" {
		s.paint(label, "♪", m.ink.accent)
		s.all = append(s.all, fact{value: text, ink: m.ink.text, most: maxTextLines})
	}
}

// waits says why a file is not being fetched.
func (m *Model) waits(j *jobs.Job, f *jobs.File) string {
	switch {
	case f.Error != "":
		return "tried again in a moment: " + client.Clean(clip(f.Error, 2000))
	case len(m.holds(j)) > 0:
		return "waits for the end of the pause"
	case j.Fetching():
		return "comes next"
	}
	return "not saved yet; " + m.deps.Keys.Keys("queue.download") + " fetches it now"
}

func kindText(k client.AssetKind) string {
	switch k {
	case client.AssetVideo:
		return "Video"
	case client.AssetImage:
		return "Image"
	case client.AssetAudio:
		return "Audio"
	case client.AssetCover:
		return "Cover"
	case client.AssetLastFrame:
		return "Last frame"
	default:
		return "File"
	}
}
