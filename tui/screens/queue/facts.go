package queue

import (
	"fmt"
	"path/filepath"
	"strings"

	"darkroom/client"
	"darkroom/client/expand"
	"darkroom/client/human"
	"darkroom/client/mediainfo"
	"darkroom/client/text"
	"darkroom/jobs"
	"darkroom/tui/gallery"
	"darkroom/tui/screens/queue/internal/inks"
	"darkroom/tui/widgets"
)

// facts lays out what is known of a job: what a person asks first, then the request in the words of the
// form, and at the end what only support and scripts ask for.
func (p *details) facts(j *jobs.Job) *sheet {
	st := p.stands(j)
	s := &sheet{kit: p.kit}
	s.state(&st, p.plays(j))
	s.holds(&st)
	s.explain(j)
	if j.Observed {
		s.add("Observed", "somebody else's task: it is watched and never sent")
	}
	info := p.picture.info()
	if p.pictureHeight(j) == 0 {
		info = nil
	}
	s.first(&st, info)
	s.add("Remark", client.Clean(text.Cap(j.Remark, 4000)))
	s.add("Tags", tagsText(j))
	s.add("Prompt", client.Clean(text.Cap(j.Draft.Prompt, 4000)))
	if j.Draft.Cut {
		s.add("Long", "only the beginning of the request was read; "+s.keys.Keys(actResubmit)+" opens all of it in Compose")
	}
	s.words(j, &p.detailState)
	s.request(j)
	if info != nil {
		s.inside(info)
	}
	s.behind(&st)
	return s
}

// first is what people ask of a result first: how long it took, how large it is, its seed, its file.
func (s *sheet) first(j *stands, info *mediainfo.Info) {
	if d := j.EndedAt.Sub(j.SubmittedAt); !j.EndedAt.IsZero() && !j.SubmittedAt.IsZero() && d >= 0 {
		s.add("Took", human.Dur(d))
	}
	if info != nil {
		label, text := sizeOf(info)
		s.add(label, client.CleanLine(text))
	}
	if seed, ok := j.Draft.Values.Text(expand.FieldSeed); ok {
		s.add("Seed", inks.OneLine(seed, 40))
	}
	s.files(j)
}

// sizeOf is how large or how long a file is, and what is in it; its bytes stand behind its name.
func sizeOf(info *mediainfo.Info) (label, text string) {
	label = "Size"
	text = strings.TrimSuffix(strings.Join(info.Facts(), " · "), " · "+human.Bytes(info.Bytes))
	lasts := ""
	if info.Duration > 0 {
		lasts = gallery.Lasts(info.Duration)
	}
	switch {
	case info.Width <= 0 && lasts != "":
		return "Length", lasts + " · " + text
	case lasts != "":
		size := fmt.Sprintf("%d x %d", info.Width, info.Height)
		return label, size + " · " + lasts + strings.TrimPrefix(text, size)
	}
	return label, text
}

// request is what was asked for, labelled as the form labels it.
func (s *sheet) request(j *jobs.Job) {
	if title, _ := j.Draft.Values["title"].(string); title != j.Title { // else it is among the values
		s.add("Title", inks.OneLine(j.Title, 200))
	}
	s.add("Model", modelText(j))
	s.add("Mode", s.modeLabel(j))
	for _, name := range j.Draft.Values.Names() {
		if name == expand.FieldSeed {
			continue
		}
		value := valueText(j.Draft.Values[name])
		if unit := s.unit(j.Draft.Modality, name); unit != "" && value != "" && !strings.HasSuffix(value, unit) {
			value += " " + unit
		}
		s.add(s.label(j.Draft.Modality, name), value)
	}
	s.add("Made from", madeFrom(j))
}

// behind is what ids and logs are looked up by.
func (s *sheet) behind(j *stands) {
	s.heading("For scripts and support")
	s.paint("Task", client.CleanLine(j.TaskID), s.ink.Code)
	s.paint("Job", client.CleanLine(j.ID), s.ink.Code)
	s.add("Run", client.CleanLine(j.Run))
	s.add("Cell", client.CleanLine(j.Cell))
	s.add("Profile", client.CleanLine(j.Profile))
	s.add("Format", formatText(j.Job))
	if raw := inks.OneLine(j.RawStatus, 60); !strings.EqualFold(raw, string(j.State)) && j.State != jobs.Unknown {
		s.add("Raw state", raw)
	}
	if dir := j.Folder(); dir != "" && dir != "." {
		s.add("Folder", client.CleanLine(dir))
	}
	s.times(j)
}

// state is how far the job is, and how much time is left.
func (s *sheet) state(j *stands, plays string) {
	look := s.ink.Sign(j.State)
	if j.Held() {
		look.Text = pausedSign
	}
	said := longState(j)
	if rejected(j.Job) {
		said += " · " + rejectWord
	}
	s.paint("State", look.Text+" "+said, look.Ink)
	if j.Moving {
		s.paint("Progress", s.ink.Bar(j.Share)+" "+human.Percent(j.Share), s.ink.Accent)
	}
	s.paint("Player", plays, s.ink.Accent)
	if j.Plan != nil {
		if j.Slow {
			s.paint("Slow", "takes longer than 95 of 100 such tasks did", s.ink.Warn)
		}
		if j.Told {
			s.add("Left", "about "+human.Left(j.Left))
		}
		s.add("Usual", fmt.Sprintf("%s, 95 of 100 within %s (the last %s tasks)",
			human.Dur(j.Plan.Median()), human.Dur(j.Plan.P95()), human.Count(j.Plan.Tasks())))
	}
	if sum := jobs.TransferOf(j.Files); sum.Left > 0 && len(j.Files) > 1 { // alone, a file tells it itself
		s.paint("Saving", savingText(sum), s.ink.Accent)
	}
}

// holds says which pauses hold a job, and how each ends.
func (s *sheet) holds(j *stands) {
	for _, h := range j.Holds {
		k, text := s.keys, ""
		switch h.Kind {
		case jobs.HoldFiles:
			s.paint("Held", "it names local files of another installation, which is the one to send it; "+k.Keys(actPause)+
				" shows which files, and asks whether to send those at the same paths here", s.ink.Warn)
			continue
		case jobs.HoldReadOnly:
			s.paint("Held", "nothing is sent from here, read-only as this is; a console or `darkroom poll` without that sends it", s.ink.Warn)
			continue
		case jobs.HoldAll:
			text = "everything, by hand; " + k.Keys(actPauseAll) + " lets it go on"
		case jobs.HoldHost:
			text = "the host " + inks.OneLine(h.Host, 60) + "; " + k.Keys(actPauseHost) + " lets it go on"
		default:
			text = "this job; " + k.Keys(actPause)
			if jobs.Unreached(*j.Job) {
				text += " tries again to send it"
			} else {
				text += " lets it go on. What runs at the gateway runs on."
			}
		}
		s.paint("Paused", text, s.ink.Warn)
	}
}

// explain says what a state means and what to do next, where that is not plain.
func (s *sheet) explain(j *jobs.Job) {
	if j.Error != nil {
		s.paint("Error", client.Clean(text.Cap(strings.TrimSpace(j.Error.Code+" "+j.Error.Message), 4000)), s.ink.Bad)
		s.add("Param", client.CleanLine(j.Error.Param))
	}
	s.paint("Note", client.Clean(j.Note), s.ink.Warn)
	for _, text := range j.Warnings {
		s.paint("Warning", warnSign+" "+client.CleanLine(text), s.ink.Warn)
	}
	k, next := s.keys, ""
	switch j.State {
	case jobs.Ambiguous:
		adopts := ""
		if jobs.Allowed(jobs.ActAdopt, j) == nil {
			adopts = k.Keys(actAdopt) + " adopts its id, "
		}
		twice := ""
		if jobs.Billed(j.Profile) {
			twice = " (it may be billed twice)"
		}
		next = fmt.Sprintf("The task may exist, and nothing was sent again. Timeline tells what came back; the gateway's support can look for the request id there, or for the job's id below where Request has it. Choose: %s%s sends it again%s, %s drops it.",
			adopts, k.Keys(actResend), twice, k.Keys(actDrop))
	case jobs.Refused:
		next = fmt.Sprintf("Nothing was made. %s takes it to Compose with every value as it was, %s sends it again as it is.", k.Keys(actResubmit), k.Keys(actResend))
	case jobs.Failed:
		next = fmt.Sprintf("The task failed at the gateway. %s takes it to Compose; Answer shows all that the gateway said.", k.Keys(actResubmit))
		if j.Observed {
			next = "The task failed at the gateway. Answer shows all that the gateway said."
		}
	case jobs.Lost:
		next = fmt.Sprintf("The gateway does not know this id any more, or never did. %s looks it up in every format, %s asks again, %s gives the job another id.",
			k.Keys(actInspect), k.Keys(actRepoll), k.Keys(actAdopt))
	case jobs.Unknown:
		if j.RawStatus == "" {
			next = "Nothing is known about the task yet. Darkroom keeps asking."
			break
		}
		next = "The gateway uses a state that is not documented. Darkroom does not take it for an end, and keeps asking."
	}
	s.paint("", next, widgets.NewInk(s.st.Info))
}

// tellsWords reports whether a job's answer may contain words that belong to its facts: the result
// itself, or a song's lyrics.
func tellsWords(j *jobs.Job) bool {
	return j.Wordy() || j.State == jobs.Completed && j.Draft.Modality == client.Music
}

// words is the text of the answer: all of it, since it is the result.
func (s *sheet) words(j *jobs.Job, d *detailState) {
	if !tellsWords(j) && d.id != j.ID {
		return
	}
	switch {
	case d.id != j.ID && j.Wordy():
		s.paint("Answer", "reading …", s.ink.Muted)
	case d.id != j.ID:
	case d.err != nil && j.Wordy():
		s.paint("Answer", "✗ "+client.Clean(d.err.Error()), s.ink.Bad)
	case j.Draft.Modality == client.Music, j.Draft.Modality == client.Speech:
		s.text("Lyrics", cleanText(d.got.Text))
	default:
		s.text("", client.Clean(text.Cap(strings.TrimSpace(d.got.Text), maxText)))
	}
}

// cleanText is a text, perhaps a long one, made safe to draw.
func cleanText(s string) string { return strings.TrimSpace(client.Clean(text.Cap(s, maxText))) }

// inside is what the file that shows has written in it.
func (s *sheet) inside(info *mediainfo.Info) {
	var told []string
	for _, t := range info.Tags {
		told = append(told, t.Name+": "+t.Value)
	}
	s.add("In the file", strings.Join(told, "\n"))
	s.text("Lyrics in it", cleanText(info.Lyrics))
}

// files are where the results are: on the disk, on their way, or at the gateway only.
func (s *sheet) files(j *stands) {
	dir := j.Folder()
	for i := range j.Files {
		s.file(j, &j.Files[i], dir)
	}
	if len(j.Files) > 0 {
		return
	}
	for i := range j.Assets {
		where := inks.OneLine(j.Assets[i].URL, maxValue)
		if where == "" {
			where = "at the gateway, not downloaded"
		}
		s.paint(kindText(j.Assets[i].Kind), where, s.ink.Code)
	}
}

// file is one of the results; dir is the folder that holds them all, "" for none.
func (s *sheet) file(j *stands, f *jobs.File, dir string) {
	label := kindText(f.Kind)
	switch f.State {
	case jobs.FileSaved:
		if f.Elsewhere {
			s.paint(label, "saved by another installation, as "+client.CleanLine(f.Path)+"; "+s.keys.Keys(actDownload)+" fetches it to here", s.ink.Muted)
			break
		}
		name := f.Path
		if dir != "" {
			name = filepath.Base(name)
		}
		s.all = append(s.all, fact{label: label, value: client.CleanLine(name), ink: s.ink.Good, tail: "  " + human.Bytes(f.Bytes), line: true})
	case jobs.FileFailed:
		s.paint(label, "✗ "+client.Clean(text.Cap(f.Error, 2000)), s.ink.Bad)
	case jobs.FileFetching:
		text := "saving, " + human.Bytes(f.Bytes)
		if f.Total > 0 {
			share := min(float64(f.Bytes)/float64(f.Total), 1)
			text = s.ink.Bar(share) + " " + human.Percent(share) + ", " + human.Bytes(f.Bytes) + " of " + human.Bytes(f.Total)
		}
		s.paint(label, text, widgets.NewInk(s.st.StateRunning))
	case jobs.FileWanted:
		s.paint(label, s.waits(j, f), s.ink.Muted)
	case jobs.FileRemoved:
		s.paint(label, "removed, since the job was rejected", s.ink.Muted)
	}
}

// waits says why a file is not being fetched.
func (s *sheet) waits(j *stands, f *jobs.File) string {
	switch {
	case f.Error != "":
		return "tried again in a moment: " + client.Clean(text.Cap(f.Error, 2000))
	case j.Held():
		return "waits for the end of the pause"
	case j.Fetching():
		return "comes next"
	}
	return "not saved yet; " + s.keys.Keys(actDownload) + " fetches it now"
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

func formatText(j *jobs.Job) string {
	if j.QueryFormat != "" && j.QueryFormat != j.Format {
		return client.CleanLine(j.Format + ", asked through " + j.QueryFormat)
	}
	return client.CleanLine(j.Format)
}

func (s *sheet) times(j *stands) {
	s.at("Created", j.CreatedAt)
	s.at("Accepted", j.AcceptedAt)
	s.at("Ended", j.EndedAt)
	if j.CreateTook > 0 {
		s.add("Create call", human.Dur(j.CreateTook))
	}
	if j.Polls > 0 {
		s.add("Polls", human.Count(j.Polls))
	}
	if now := s.now(); j.State.Polled() && j.NextPollAt.After(now) && !j.Held() {
		s.add("Next poll", s.clock().Clock(j.NextPollAt))
	}
}
