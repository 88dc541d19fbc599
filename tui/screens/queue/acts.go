package queue

import (
	"context"
	"path/filepath"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client"
	"darkroom/client/expand"
	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/jobs/chain"
	"darkroom/jobs/delivered"
	"darkroom/tui/dialogs/ask"
	"darkroom/tui/dialogs/body"
	"darkroom/tui/dialogs/choose"
	"darkroom/tui/remote"
	"darkroom/tui/screen"
	"darkroom/tui/widgets/picker"
)

// What the actions of the table do.

// turnTimes writes times in the next way, on all screens.
func turnTimes(m *Model) tea.Cmd {
	m.detail.dirty = true
	return m.deps.Times.Turn()
}

func download(m *Model) tea.Cmd {
	return m.bulk(deed{act: jobs.ActDownload, did: "downloading", verb: "Download the files of", button: "Download", do: m.deps.Jobs.Download})
}

func downloadAgain(m *Model) tea.Cmd {
	return m.bulk(deed{act: jobs.ActDownload, did: "downloading again", verb: "Download again the files of", button: "Download", do: m.deps.Jobs.DownloadAgain})
}

func repoll(m *Model) tea.Cmd {
	what := "asking again about"
	for _, id := range m.list.able(jobs.ActRepoll) {
		if len(m.scene.Holds(m.list.jobs.Get(id))) > 0 {
			what = "when the pause ends, asking again about"
		}
	}
	return m.bulk(deed{act: jobs.ActRepoll, did: what, verb: "Ask again about", button: "Ask again", do: m.deps.Jobs.Repoll})
}

// openBodies opens the dialog of bodies, with the request first where that shows.
func openBodies(m *Model) tea.Cmd {
	o := m.deps.Bodies
	o.Title, o.Job, o.Request = "Job "+shortID(m.list.current), m.list.current, m.detail.section == request
	return m.stack.Open(body.New(o))
}

// star stars the picked jobs; if all of them are starred, it removes the stars.
func star(m *Model) tea.Cmd {
	ids := m.list.picked()
	add, remove, what := []string{jobs.Star}, []string(nil), "starred"
	if !slices.ContainsFunc(ids, func(id string) bool { j := m.list.jobs.Get(id); return j == nil || !j.Starred() }) {
		add, remove, what = remove, add, "took the star from"
	}
	if m.zoom.On() {
		return each(what, ids, func(ctx context.Context, id string) error { return m.deps.Jobs.Tag(ctx, id, add, remove) })
	}
	return m.bulk(deed{did: what, verb: "Star", button: "Star", ids: ids, asked: !m.list.onHead(), do: func(ctx context.Context, id string) error {
		return m.deps.Jobs.Tag(ctx, id, add, remove)
	}})
}

// pause pauses the picked jobs, or resumes them when all are paused. It asks about a job that is
// not sent because it names local files of another installation.
func pause(m *Model) tea.Cmd {
	ids := m.list.able(jobs.ActPause)
	if len(ids) == 1 {
		if j := m.list.jobs.Get(ids[0]); j.Foreign && j.State == jobs.Planned {
			return m.stack.Open(filesQuestion(j))
		}
	}
	on := slices.ContainsFunc(ids, func(id string) bool { return !m.list.jobs.Get(id).Paused })
	d := deed{act: jobs.ActPause, did: "going on with", verb: "Go on with", button: "Go on",
		do: func(ctx context.Context, id string) error { return m.deps.Jobs.SetPaused(ctx, id, on) }}
	if on {
		d.did, d.verb, d.button = "paused", "Pause", "Pause"
	}
	return m.bulk(d)
}

func copyID(m *Model) tea.Cmd {
	j := m.list.job()
	text, what := j.TaskID, "the task id"
	if text == "" {
		text, what = j.ID, "the job id"
	}
	text = client.CleanLine(text) // it will be pasted into shells and chats
	return func() tea.Msg { return screen.CopyMsg{Text: text, What: what} }
}

func resubmit(m *Model) tea.Cmd {
	j := m.list.job()
	d, left := j.OwnDraft()
	return screen.Warned(screen.Open(screen.Compose, screen.ComposeDraft{Draft: d, Format: j.Format, Job: j.ID}), left)
}

func inspect(m *Model) tea.Cmd {
	return screen.Open(screen.Inspect, screen.InspectID{ID: m.list.job().TaskID})
}

func use(u chain.Use) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		return screen.Open(screen.Compose, screen.ComposeResult{JobID: m.list.current, As: string(u)})
	}
}

func openFilter(m *Model) tea.Cmd {
	m.focus = tablePane
	m.list.filter.Begin()
	m.layout()
	return nil
}

func reload(m *Model) tea.Cmd {
	m.list.views.Again()
	m.heart.Again()
	m.list.jobs.guest = m.list.current
	return m.reload()
}

func mark(m *Model) {
	if m.list.onHead() {
		m.list.markBatch()
	} else {
		m.list.jobs.mark(m.list.current)
	}
	if m.focus == tablePane && !m.zoom.On() {
		m.list.next()
	}
}

// togglePicture hides the preview or brings it back, and says so where there is none to see.
func togglePicture(m *Model) tea.Cmd {
	p, j := &m.detail.picture, m.list.job()
	before := m.detail.pictureHeight(j)
	p.off = !p.off
	m.layout()
	if m.detailShows() && m.detail.pictureHeight(j) != before {
		return nil
	}
	if p.off {
		return screen.Toast(screen.Info, "previews are off")
	}
	return screen.Toast(screen.Info, "previews are on")
}

// play plays the video, or advances it by a frame.
func play(step int) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd {
		if step == 0 && m.stage().off != "" { // a sound
			return m.outside.Do(remote.Toggle, m.list.job())
		}
		if !m.stage().seen {
			m.setFocus(detailPane) // or nobody would see it
			if m.detail.pictureHeight(m.list.job()) == 0 {
				m.detail.setSection(facts)
			}
		}
		m.zoom.Whole()
		r := m.film.request(m.kit, m.stage())
		if step == 0 {
			return m.film.Toggle(r)
		}
		return m.film.Step(r, step)
	}
}

func toggleGallery(m *Model) {
	m.gallery = !m.gallery
	m.list.refresh()
	m.setFocus(tablePane)
}

func resize(by int) func(*Model) tea.Cmd {
	return screen.Act(func(m *Model) {
		if m.gallery {
			m.list.grid.Resize(by)
		} else {
			m.list.heighten(by, false)
		}
		m.layout()
	})
}

// opening is the subject of the choice of how a result is played or opened.
type opening struct{}

// ways are the actions that play or open a result, the nearest first.
func ways() []button {
	return []button{
		{actPlay, "Play here"}, {actPlayer, "Play with the player"}, {actOpenFile, "Open with the desktop's program"}, {actZoom, "Look at it on the whole screen"},
		{actFolder, "Show in the folder"}, {actCopyPath, "Copy the path"}, {actDownload, "Download"},
	}
}

// best is the one button for a result: what plays it, or else opens it.
func best(m *Model, j *jobs.Job) (button, bool) {
	if j == nil {
		return button{}, false
	}
	outside := "play"
	if m.outside.Word(j) != "player" {
		outside = "pause"
	}
	here := m.film.word()
	if offPlay(m, j) != "" { // a sound
		here = outside
	}
	for _, b := range []button{{actPlay, here}, {actPlayer, outside}, {actOpenFile, "open"}} {
		if m.off(b.id) == "" {
			return b, true
		}
	}
	return button{}, false
}

func offWays(m *Model, j *jobs.Job) string {
	if _, ok := best(m, j); !ok {
		return "no result of this job is on the disk, and none can be played from its address"
	}
	return ""
}

// askWay asks how to play or open the result. What cannot be done says why.
func askWay(m *Model) tea.Cmd {
	var items []picker.Item
	for _, b := range ways() {
		off := m.off(b.id)
		if b.id == actDownload && off != "" {
			continue
		}
		items = append(items, picker.Item{ID: b.id, Title: b.label, Keys: m.keys.Keys(b.id), Off: off})
	}
	d := choose.New(picker.New("Play or open", "how …", items), opening{})
	d.Lines = len(items) + 5
	return m.stack.Open(d)
}

// lookedAt is the file that is looked at: in the zoom one of several, else the first.
func lookedAt(m *Model) string {
	if m.zoom.On() {
		if media, ok := m.zoom.Media(); ok {
			return media.Path
		}
	}
	return m.list.job().OpenPath()
}

func openFile(m *Model) tea.Cmd {
	path := lookedAt(m)
	return func() tea.Msg { return screen.OpenFileMsg{Path: path} }
}

// openFolder has the desktop show the folder of the file.
func openFolder(m *Model) tea.Cmd {
	dir := filepath.Dir(lookedAt(m))
	return func() tea.Msg { return screen.OpenFileMsg{Path: dir} }
}

func offCopyPath(m *Model, j *jobs.Job) string {
	if j.OpenPath() == "" {
		return "no file of this job is on the disk; " + m.keys.Keys(actCopy) + " copies its id"
	}
	return ""
}

func copyPath(m *Model) tea.Cmd {
	path := lookedAt(m)
	return func() tea.Msg {
		return screen.Copied(path, "the path", "open its folder instead: "+m.keys.Keys(actFolder))
	}
}

// sameSeed takes the job to Compose with the seed that made its result: the one that it was sent with,
// else the one that the gateway tells in its answer.
func sameSeed(m *Model) tea.Cmd {
	j, from := m.list.job(), m.deps.Jobs
	d, left := j.OwnDraft()
	to := screen.ComposeDraft{Draft: d, Format: j.Format, Job: j.ID}
	if _, ok := d.Values.Text(expand.FieldSeed); ok {
		return screen.Warned(screen.Open(screen.Compose, to), left)
	}
	id := j.ID
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(context.Background(), askLimit)
		defer stop()
		all, err := from.Detail(ctx, id)
		if err != nil {
			return doneMsg{failed: err.Error()}
		}
		seed := delivered.Seed(all.Answer)
		if seed == "" {
			return doneMsg{failed: "the gateway does not say which seed it used; " + m.keys.Keys(actResubmit) + " takes it to Compose without one"}
		}
		if to.Draft.Values == nil {
			to.Draft.Values = client.Values{}
		}
		to.Draft.Values[expand.FieldSeed] = seed
		return screen.Warned(screen.Open(screen.Compose, to), left)()
	}
}

// rejects is what was rejected since the console began.
type rejects struct {
	agreed bool       // the person knows what it means
	undo   [][]string // what can be taken back, the latest last
}

// maxUndo bounds the steps that can be taken back.
const maxUndo = 100

// offDropOrReject is the rule of the key that does what applies.
func offDropOrReject(m *Model) string {
	j, off := m.list.job(), ofPicked(jobs.ActDrop)(m)
	if off == "" || j == nil || j.State.Active() && ofPicked(jobs.ActReject)(m) != "" {
		return off
	}
	return ofPicked(jobs.ActReject)(m)
}

func dropOrReject(m *Model) tea.Cmd {
	if ofPicked(jobs.ActDrop)(m) == "" {
		return askDrop(m)
	}
	return askReject(m)
}

// dropWord is what the key would do.
func dropWord(m *Model) string {
	if ofPicked(jobs.ActDrop)(m) == "" {
		return "drop"
	}
	return "reject"
}

// askReject rejects the picked jobs. It asks the first time, and for several.
func askReject(m *Model) tea.Cmd {
	ids := m.list.able(jobs.ActReject)
	if m.rejects.agreed && len(ids) == 1 {
		return reject(m, ids)
	}
	text := "They leave the list, and their files are removed when the console ends. Until then " + m.keys.Keys(actRestore) + " takes it back."
	if len(ids) == 1 {
		text = about(ids[0], m.list.jobs.Get(ids[0])) + "\nIt leaves the list, and its files are removed when the console ends. Until then " +
			m.keys.Keys(actRestore) + " takes it back."
	}
	return m.stack.Open(ask.Decide("Reject "+human.Plural(len(ids), "job")+"?", text, "Keep", "Reject", rejecting{ids}))
}

// reject rejects jobs, in one go: it only marks them.
func reject(m *Model, ids []string) tea.Cmd {
	m.rejects.agreed = true
	return setRejected(m.deps.Jobs, ids, true)
}

func setRejected(d jobs.Keeper, ids []string, on bool) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), askLimit)
		defer cancel()
		return rejectedMsg{ids, on, d.Reject(ctx, ids, on)}
	}
}

// takeRejected tells what became of it, and keeps what can be taken back.
func takeRejected(m *Model, msg rejectedMsg) tea.Cmd {
	r := &m.rejects
	var failed tea.Cmd
	if msg.err != nil {
		failed = screen.Toast(screen.Bad, client.CleanLine(msg.err.Error()))
		if len(msg.ids) == 1 {
			return failed
		}
	}
	if !msg.on {
		show := ""
		if len(msg.ids) == 1 && !m.zoom.On() {
			show = msg.ids[0]
		}
		return tea.Batch(m.takeDone(doneMsg{what: "brought back " + human.Plural(len(msg.ids), "job"), show: show}), failed)
	}
	if r.undo = append(r.undo, msg.ids); len(r.undo) > maxUndo {
		r.undo = r.undo[1:]
	}
	for _, id := range msg.ids {
		delete(m.list.jobs.marked, id)
	}
	return tea.Batch(screen.Toast(screen.Good, "rejected "+human.Plural(len(msg.ids), "job")+" · "+m.keys.Keys(actRestore)+" takes it back"), failed)
}

// backOf are the jobs that would be taken back: the picked ones that were rejected, or else those
// rejected last.
func backOf(m *Model) []string {
	if ids := m.list.able(jobs.ActRestore); len(ids) > 0 {
		return ids
	}
	if n := len(m.rejects.undo); n > 0 {
		return m.rejects.undo[n-1]
	}
	return nil
}

func offRestore(m *Model) string {
	if len(backOf(m)) == 0 {
		return "nothing was rejected since the console began; the filter is:rejected shows what was before"
	}
	return ""
}

func restore(m *Model) tea.Cmd {
	ids, r := backOf(m), &m.rejects
	if n := len(r.undo); n > 0 && slices.Equal(r.undo[n-1], ids) {
		r.undo = r.undo[:n-1]
	}
	return setRejected(m.deps.Jobs, ids, false)
}

func offFold(m *Model) string {
	if row := m.list.table.under(); m.gallery || !row.Head && !row.In {
		return "this job was submitted alone, or the list is not one of batches now: it is sorted, or of one batch"
	}
	return ""
}

// fold folds the batch under the cursor, or unfolds it.
func fold(m *Model) tea.Cmd {
	row := m.list.table.under()
	m.list.fold(row.Head && !row.Open)
	return nil
}

func offFoldAll(m *Model) string {
	if len(m.list.jobs.folds.Groups()) == 0 {
		return "no jobs that were submitted together are in the list"
	}
	return ""
}

// foldAll folds all batches, or unfolds them where all are folded.
func foldAll(m *Model) {
	f := &m.list.jobs.folds
	all := f.Groups()
	open := !slices.ContainsFunc(all, f.Unfolded)
	for _, group := range all {
		f.Unfold(group, open)
	}
	m.list.head = m.list.head || !open
	m.list.refresh()
}
