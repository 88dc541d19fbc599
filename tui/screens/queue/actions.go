package queue

import (
	"slices"

	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/chain"
	"darkroom/jobs/player"
	"darkroom/tui/keys"
	"darkroom/tui/remote"
	"darkroom/tui/screen"
	"darkroom/tui/screens/queue/internal/thumbs"
)

const (
	scope     = string(screen.Queue)
	scopeZoom = "zoom" // of what can be done with a picture on the whole screen
)

// Actions that keys and clicks trigger besides their own, or that texts and buttons name.
const (
	actOpen      = scope + ".open"
	actDownload  = scope + ".download"
	actOpenFile  = scope + ".open-file"
	actCopy      = scope + ".copy"
	actCopyPath  = scope + ".copy-path"
	actFolder    = scope + ".folder"
	actWays      = scope + ".ways"
	actSeed      = scope + ".same-seed"
	actFold      = scope + ".fold"
	actStarred   = scope + ".starred-only"
	actReject    = scope + ".reject"
	actRestore   = scope + ".restore"
	actRepoll    = scope + ".repoll"
	actResubmit  = scope + ".resubmit"
	actInspect   = scope + ".inspect"
	actBodies    = scope + ".bodies"
	actUse       = scope + ".use"
	actToVideo   = scope + ".to-video"
	actExtend    = scope + ".extend"
	actEdit      = scope + ".edit"
	actParent    = scope + ".chain-parent"
	actFilter    = scope + ".filter"
	actNextView  = scope + ".next-view"
	actKeep      = scope + ".keep-view"
	actPulse     = scope + ".pulse"
	actSort      = scope + ".sort"
	actBack      = scope + ".clear-filter"
	actReload    = scope + ".reload"
	actMark      = scope + ".mark"
	actMarkAll   = scope + ".mark-all"
	actPreview   = scope + ".preview"
	actPlay      = scope + ".play"
	actStep      = scope + ".step"
	actStepBack  = scope + ".step-back"
	actPlayer    = scope + "." + remote.Toggle
	actAdopt     = scope + ".adopt"
	actResend    = scope + ".resend"
	actDrop      = scope + ".drop"
	actPause     = scope + ".pause"
	actPauseAll  = scope + ".pause-all"
	actPauseHost = scope + ".pause-host"
	actTag       = scope + ".tag"
	actRemark    = scope + ".remark"
	actExport    = scope + ".export"
	actStar      = scope + ".star"
	actGallery   = scope + ".gallery"
	actZoom      = scope + ".zoom"
	actFlip      = scope + ".flip"
	actBigger    = scope + ".larger"
	actSmaller   = scope + ".smaller"

	actClose  = scopeZoom + ".close"
	actNext   = scopeZoom + ".next"
	actPrev   = scopeZoom + ".prev"
	actLarger = scopeZoom + ".in"
	actLess   = scopeZoom + ".out"
	actActual = scopeZoom + ".actual"
)

// Rows are the actions of the screen, for the key map.
func Rows() []keys.Action { return append(screen.Rows(Commands()), screen.Rows(ZoomCommands())...) }

// Commands is the table of what can be done on the screen.
func Commands() []screen.Command[*Model] {
	return slices.Concat(resultCommands(), listCommands(), jobCommands())
}

// resultCommands are about what came of a job, and where it goes from here.
func resultCommands() []screen.Command[*Model] {
	return []screen.Command[*Model]{
		{ID: actOpen, Title: "Open", Keys: []string{"enter"}, Off: ofJob(nil), Do: screen.Act((*Model).open)},
		{ID: actDownload, Title: "Download", Keys: []string{"d"}, Off: ofPicked(jobs.ActDownload), Do: download},
		{ID: scope + ".download-again", Title: "Download again", Keys: []string{"alt+d"}, Off: ofPicked(jobs.ActDownload), Do: downloadAgain},
		{ID: actOpenFile, Title: "Open the file", Keys: []string{"o"}, Off: allowed(jobs.ActOpen), Do: openFile},
		{ID: actWays, Title: "More ways to play or open it", Keys: []string{"M"}, Off: ofJob(offWays), Do: askWay},
		{ID: actFolder, Title: "Show it in its folder", Keys: []string{"alt+f"}, Off: allowed(jobs.ActOpen), Do: openFolder},
		{ID: actCopyPath, Title: "Copy the path of the file", Keys: []string{"y"}, Off: ofJob(offCopyPath), Do: copyPath},
		{ID: actCopy, Title: "Copy the id", Keys: []string{"Y"}, Off: ofJob(nil), Do: copyID},
		{ID: actRepoll, Title: "Ask the gateway now", Keys: []string{"r"}, Off: ofPicked(jobs.ActRepoll), Do: repoll},
		{ID: actResubmit, Title: "Take to Compose", Keys: []string{"c"}, Off: allowed(jobs.ActCompose), Do: resubmit},
		{ID: actSeed, Title: "Take to Compose with the seed it got", Keys: []string{"alt+c"}, Off: allowed(jobs.ActCompose), Do: sameSeed},
		{ID: actInspect, Title: "Inspect", Keys: []string{"i"}, Off: allowed(jobs.ActLookUp), Do: inspect},
		{ID: actBodies, Title: "Read the request and the answers", Keys: []string{"B"}, Off: ofJob(nil), Do: openBodies},
		{ID: actUse, Title: "Use the result as a reference", Keys: []string{"u"}, Off: takes(chain.Reference), Do: use(chain.Reference)},
		{ID: actToVideo, Title: "Begin a video with the result", Keys: []string{"V"}, Off: ofJob(offToVideo), Do: use(chain.I2V)},
		{ID: actExtend, Title: "Extend the video", Keys: []string{"E"}, Off: ofJob(offExtend), Do: use(chain.Extend)},
		{ID: actEdit, Title: "Edit the result", Keys: []string{"e"}, Off: takes(chain.Edit), Do: use(chain.Edit)},
		{ID: scope + ".chain", Title: "Show what it was made from, and what came of it", Keys: []string{"C"}, Off: ofJob(nil),
			Do: screen.Act(func(m *Model) { m.showSection(chainTree) })},
		{ID: actParent, Title: "Go to the job it was made from", Keys: []string{"<"}, Off: allowed(jobs.ActParent), Do: toParent},
		{ID: scope + ".chain-child", Title: "Go to the newest job made from it", Keys: []string{">"}, Off: ofJob(nil), Do: toChild},
	}
}

// listCommands are about which jobs there are, and in which order.
func listCommands() []screen.Command[*Model] {
	return []screen.Command[*Model]{
		{ID: actFilter, Title: "Filter", Keys: []string{"/"}, Do: openFilter},
		{ID: scope + ".faults", Title: "Faults only, failed downloads only, or all", Keys: []string{"F"}, Do: faultsOnly},
		{ID: actStarred, Title: "Best: starred only, or all", Keys: []string{"b"}, Do: starredOnly},
		{ID: actSort, Title: "Sort by a column", Keys: []string{"O"}, Do: askSort},
		{ID: scope + ".sort-turn", Title: "Reverse the order", Keys: []string{"alt+o"}, Do: turnSort},
		{ID: actNextView, Title: "Next view", Keys: []string{")"}, Off: offViews, Do: stepView(1)},
		{ID: scope + ".prev-view", Title: "Previous view", Keys: []string{"("}, Off: offViews, Do: stepView(-1)},
		{ID: actKeep, Title: "Save the filter and the order as a view", Keys: []string{"K"}, Off: offKeep, Do: askKeep},
		{ID: scope + ".rename-view", Title: "Rename the view", Keys: []string{"N"}, Off: offOwn, Do: askRename},
		{ID: scope + ".remove-view", Title: "Remove the view", Keys: []string{"D"}, Off: offOwn, Do: askRemoveView},
		{ID: actPulse, Title: "Pulse: how the work is going, or the detail", Keys: []string{"L"}, Do: togglePulse},
		{ID: actBack, Title: "Back, or clear the filter", Keys: []string{"esc"}, Do: (*Model).leave},
		{ID: actReload, Title: "Reload the history", Keys: []string{"f5"}, Do: reload},
		{ID: actMark, Title: "Mark", Keys: []string{" "}, Off: ofJob(nil), Do: screen.Act(mark)},
		{ID: actMarkAll, Title: "Mark all that the filter selects, or none", Keys: []string{"*"}, Off: ofJob(nil), Do: screen.Act(markAll)},
	}
}

// jobCommands are about the picture of a job, its state, and how all is shown.
func jobCommands() []screen.Command[*Model] {
	return []screen.Command[*Model]{
		{ID: actPreview, Title: "Preview on or off", Keys: []string{"p"}, Off: offPreview, Do: togglePicture},
		{ID: actPlay, Title: "Play or pause; a video plays here", Keys: []string{"m"}, Off: ofJob(offBegin), Do: play(0)},
		{ID: actStep, Title: "Next frame of the video", Keys: []string{"."}, Off: ofJob(offPlay), Do: play(1)},
		{ID: actStepBack, Title: "Previous frame of the video", Keys: []string{","}, Off: ofJob(offPlay), Do: play(-1)},
		outside(remote.Toggle, "Play in the player, or pause it", "P"),
		outside(remote.Forward, "Player: 5 s on", "}"),
		outside(remote.Back, "Player: 5 s back", "{"),
		outside(remote.Stop, "End the player", "S"),
		{ID: actAdopt, Title: "Adopt a lost task by its id", Keys: []string{"a"}, Off: allowed(jobs.ActAdopt), Do: askAdopt},
		{ID: actResend, Title: "Send a lost or refused job again", Keys: []string{"R"}, Off: ofJob(offResend), Do: askResend},
		{ID: actDrop, Title: "Reject what has ended, or drop what is under way", Keys: []string{"x"}, Off: offDropOrReject, Do: dropOrReject},
		{ID: actReject, Title: "Reject", Off: ofPicked(jobs.ActReject), Do: askReject},
		{ID: actRestore, Title: "Take back what was rejected", Keys: []string{"alt+z"}, Off: offRestore, Do: restore},
		{ID: actPause, Title: "Pause or resume", Keys: []string{"z"}, Off: ofPicked(jobs.ActPause), Do: pause},
		{ID: actPauseAll, Title: "Pause or resume everything", Keys: []string{"Z"}, Do: pauseAll},
		{ID: actPauseHost, Title: "Pause or resume a host", Keys: []string{"H"}, Do: askHost},
		{ID: actTag, Title: "Tag", Keys: []string{"t"}, Off: ofJob(nil), Do: askTags},
		{ID: actRemark, Title: "Remark", Keys: []string{"n"}, Off: ofJob(nil), Do: askRemark},
		{ID: actExport, Title: "Export as a sheet, JSON or a bundle", Keys: []string{"X"}, Off: ofJob(nil), Do: askExport},
		{ID: actStar, Title: "Star or unstar", Keys: []string{"s"}, Off: ofJob(nil), Do: star},
		{ID: actFold, Title: "Fold or unfold the batch", Keys: []string{"alt+b"}, Off: offFold, Do: fold},
		{ID: scope + ".fold-all", Title: "Fold or unfold all batches", Keys: []string{"_"}, Off: offFoldAll, Do: screen.Act(foldAll)},
		{ID: actGallery, Title: "Gallery or list", Keys: []string{"v"}, Do: screen.Act(toggleGallery)},
		{ID: actBigger, Title: "Larger: rows with pictures, or cells in the gallery", Keys: []string{"+", "="}, Off: offResize(1), Do: resize(1)},
		{ID: actSmaller, Title: "Smaller: rows without pictures, or cells in the gallery", Keys: []string{"-"}, Off: offResize(-1), Do: resize(-1)},
		{ID: actZoom, Title: "Picture on the whole screen", Keys: []string{"w"}, Off: ofJob(offLook), Do: screen.Act(func(m *Model) { m.zoom.Open() })},
		{ID: actFlip, Title: "Flip between two results", Keys: []string{"f"}, Off: ofJob(offFlip), Do: screen.Act(func(m *Model) { m.zoom.flip() })},
		{ID: scope + ".times", Title: "Times: local, UTC, or ages", Keys: []string{"T"}, Do: turnTimes},
		{ID: scope + ".next-pane", Title: "Next pane", Keys: []string{"tab"}, Off: ofJob(nil), Do: screen.Act(func(m *Model) { m.turn(true) })},
		{ID: scope + ".prev-pane", Title: "Previous pane", Keys: []string{"shift+tab"}, Off: ofJob(nil), Do: screen.Act(func(m *Model) { m.turn(false) })},
	}
}

func toParent(m *Model) tea.Cmd { return m.jump(m.list.job().Draft.Descent()[0].Job) }

func toChild(m *Model) tea.Cmd { return child(m.deps.Jobs, m.list.current) }

func pauseAll(m *Model) tea.Cmd { return setPause(m.deps.Jobs, "", !m.scene.Flow.Paused) }

// ZoomCommands is the table of what can be done with a picture on the whole screen; keys of the
// screen that have no other meaning there work as well.
func ZoomCommands() []screen.Command[*Model] {
	return []screen.Command[*Model]{
		{ID: actClose, Title: "Back from the picture", Keys: []string{"esc", "enter", "w"}, Word: "back", Off: offZoom, Do: screen.Act(func(m *Model) { m.zoom.close() })},
		{ID: actNext, Title: "Next result", Keys: []string{"pgdown", "tab"}, Word: "next", Off: offZoom, Do: func(m *Model) tea.Cmd { return m.zoom.step(1) }},
		{ID: actPrev, Title: "Result before", Keys: []string{"pgup", "shift+tab"}, Word: "previous", Off: offZoom, Do: func(m *Model) tea.Cmd { return m.zoom.step(-1) }},
		{ID: actLarger, Title: "Picture larger", Keys: []string{"+", "="}, Word: "larger", Off: offCloser, Do: screen.Act(func(m *Model) { m.zoom.Closer(1) })},
		{ID: actLess, Title: "Picture smaller", Keys: []string{"-"}, Word: "smaller", Off: offCloser, Do: screen.Act(func(m *Model) { m.zoom.Closer(-1) })},
		{ID: actActual, Title: "Picture 1:1, or as large as fits", Keys: []string{"z"}, Word: "1:1", Off: offCloser, Do: screen.Act(func(m *Model) { m.zoom.Actual() })},
		{ID: scopeZoom + ".fit", Title: "Picture as large as fits", Keys: []string{"0"}, Off: offZoom, Do: screen.Act(func(m *Model) { m.zoom.Whole() })},
	}
}

// outside is an action of the player outside.
func outside(verb, title, key string) screen.Command[*Model] {
	return screen.Command[*Model]{ID: scope + "." + verb, Title: title, Keys: []string{key},
		Off: ofJob(func(m *Model, j *jobs.Job) string { return m.outside.Off(verb, j) }),
		Do:  func(m *Model) tea.Cmd { return m.outside.Do(verb, m.list.job()) }}
}

// ofJob turns a rule about the job under the cursor into one about the screen; nil allows any job.
func ofJob(off func(*Model, *jobs.Job) string) func(*Model) string {
	return func(m *Model) string {
		j := m.list.job()
		switch {
		case j == nil:
			return "there is no job under the cursor"
		case off == nil:
			return ""
		}
		return off(m, j)
	}
}

func allowed(a jobs.Action) func(*Model) string {
	return ofJob(func(_ *Model, j *jobs.Job) string { return jobs.WhyNot(a, j) })
}

// offResend is the rule of what creates.
func offResend(m *Model, j *jobs.Job) string {
	if err := m.scene.Flow.MayCreate(); err != nil {
		return err.Error()
	}
	return jobs.WhyNot(jobs.ActResend, j)
}

// ofPicked is the rule of an action on the marked jobs, or else on the one under the cursor.
func ofPicked(a jobs.Action) func(*Model) string {
	return ofJob(func(m *Model, j *jobs.Job) string {
		if len(m.list.jobs.marked) == 0 {
			off := offOne(a, j)
			if off != "" && m.list.onHead() && len(m.list.able(a)) > 0 {
				return ""
			}
			return off
		}
		for id := range m.list.jobs.marked {
			if offOne(a, m.list.jobs.Get(id)) == "" {
				return ""
			}
		}
		return fmt.Sprintf("this cannot be done to any of the %d marked", len(m.list.jobs.marked))
	})
}

// offOne says why an action cannot be done to one of several jobs. A paused job can always go on.
func offOne(a jobs.Action, j *jobs.Job) string {
	switch {
	case j == nil:
		return "the job is no longer in the list"
	case a == jobs.ActPause && j.Paused:
		return ""
	}
	return jobs.WhyNot(a, j)
}

func takes(u chain.Use) func(*Model) string {
	return ofJob(func(_ *Model, j *jobs.Job) string { return offTake(j, u) })
}

func offTake(j *jobs.Job, u chain.Use) string {
	if _, err := chain.Take(j, u); err != nil {
		return err.Error()
	}
	return ""
}

// offToVideo says why a job's result has no picture to start a video with.
func offToVideo(m *Model, j *jobs.Job) string {
	from, err := chain.Take(j, chain.I2V)
	switch {
	case err != nil:
		return err.Error()
	case from.Video == "" || m.deps.Frames:
		return ""
	}
	return "install ffmpeg: the task gave no last frame, and only ffmpeg can take one from the video"
}

func offExtend(m *Model, j *jobs.Job) string {
	if own := m.deps.Profile; own != "" && j.Profile != own {
		return "this job is of the profile " + client.CleanLine(j.Profile) + ": its id means nothing to the gateway of " + client.CleanLine(own)
	}
	return offTake(j, chain.Extend)
}

func offPreview(m *Model) string {
	if m.deps.Previews == nil {
		return "there are no previews here"
	}
	return ""
}

// offLook says why there is nothing to look at on the whole screen.
func offLook(m *Model, j *jobs.Job) string {
	switch {
	case m.deps.Previews == nil:
		return offPreview(m)
	case len(j.Results()) == 0:
		return "no result of this job is on the disk"
	}
	return ""
}

func offFlip(m *Model, _ *jobs.Job) string {
	_, off := m.zoom.other()
	return off
}

// offBegin says why nothing plays: a video plays here, a sound in the player.
func offBegin(m *Model, j *jobs.Job) string {
	off := offPlay(m, j)
	if t, ok := player.Of(j); off != "" && ok && t.Audio {
		return m.outside.Off(remote.Toggle, j)
	}
	return off
}

func offPlay(m *Model, _ *jobs.Job) string {
	off := m.stage().off
	if off == "" && !m.deps.Previews.Moves() {
		return "playing a video here takes ffmpeg, which is not installed: apt install ffmpeg, or brew install ffmpeg; " +
			m.keys.Keys(actPlayer) + " plays it in a program of its own"
	}
	return off
}

// offResize says why the cells of the gallery, or the rows of the list, cannot be resized.
func offResize(by int) func(*Model) string {
	return func(m *Model) string {
		switch off := m.list.thumbs.OffNow(); {
		case !m.gallery && m.list.heighten(by, true):
			return ""
		case !m.gallery && off != "":
			return off + "; the gallery has cells of several sizes: " + m.keys.Keys(actGallery) + " shows it"
		case !m.gallery && by < 0:
			return "the rows cannot be smaller"
		case !m.gallery && m.list.rowLines() < thumbs.Most:
			return "there is no room for rows with pictures here"
		case !m.gallery:
			return "the rows cannot be larger"
		case m.list.grid.CanResize(by):
			return ""
		case by < 0:
			return "the cells cannot be smaller here"
		}
		return "the cells cannot be larger"
	}
}

func offZoom(m *Model) string {
	if !m.zoom.On() {
		return "no picture is on the whole screen; " + m.keys.Keys(actZoom) + " shows one"
	}
	return ""
}

func offCloser(m *Model) string {
	switch {
	case !m.zoom.On():
		return offZoom(m)
	case m.zoom.plays():
		return "a video that plays is as large as fits; its picture, before it plays, can be looked at more closely"
	case m.zoom.Size().X == 0:
		return "there is no picture to look at more closely"
	}
	return ""
}
