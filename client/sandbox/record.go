package sandbox

import (
	"fmt"
	"hash/fnv"
	"io"
	"time"

	"darkroom/client/sandbox/script"
)

// kind is what a task makes; the prefix of its id follows from it.
type kind string

const (
	kindVideo    kind = "video"
	kindMusic    kind = "music"
	kindImage    kind = "image"    // answered at once
	kindResponse kind = "response" // an image behind a response object
)

func (k kind) prefix() string {
	switch k {
	case kindVideo:
		return "video_"
	case kindImage:
		return "img_"
	case kindResponse:
		return "resp_"
	default:
		return "task_"
	}
}

// record is a task as it was accepted. It is written once, before the create is
// answered, and never changed: everything else about a task is computed from it.
type record struct {
	Version int    `json:"v"`
	ID      string `json:"id"`
	Kind    kind   `json:"kind"`
	Token   string `json:"token"` // the unguessable part of the result URLs
	// Owner is whose key created it, "" for the first key.
	Owner string `json:"owner,omitempty"`
	// Format is the create format of a video task, which decides the form of its id; "" for the
	// common one.
	Format    string `json:"format,omitempty"`
	Model     string `json:"model"`
	ModelName string `json:"model_name,omitempty"`
	Mode      string `json:"mode,omitempty"`
	// Prompt is without directives, cut at promptKept bytes; Seed already follows from
	// the whole of it.
	Prompt     string `json:"prompt,omitempty"`
	ExternalID string `json:"external_task_id,omitempty"`
	// Payload is the text that a vendor-style request carries through.
	Payload   string        `json:"payload,omitempty"`
	CreatedMS int64         `json:"created_ms"`
	QueueMS   int64         `json:"queue_ms"`
	RunMS     int64         `json:"run_ms"`
	Script    script.Script `json:"script,omitzero"`
	// Sync says that the create was answered with the end of the task: it has no other
	// state, whatever the clock says.
	Sync  bool       `json:"sync,omitempty"`
	Seed  int64      `json:"seed"`
	Video *videoPlan `json:"video,omitempty"`
	Image *imagePlan `json:"image,omitempty"`
	Music *musicPlan `json:"music,omitempty"`
}

const (
	recordVersion = 1
	promptKept    = 32 << 10
)

// videoPlan is what a video task will make, and what was asked for.
type videoPlan struct {
	Width      int    `json:"width"`
	Height     int    `json:"height"`
	FPS        int    `json:"fps"`
	DurationMS int64  `json:"duration_ms"`
	Sound      bool   `json:"sound,omitempty"`
	First      *ref   `json:"first,omitempty"`
	Last       *ref   `json:"last,omitempty"`
	References []ref  `json:"references,omitempty"`
	Source     string `json:"source,omitempty"`     // task that it extends or edits
	Size       string `json:"size,omitempty"`       // as asked
	Resolution string `json:"resolution,omitempty"` // as asked, or the model's own
	Seconds    string `json:"seconds,omitempty"`
	Note       string `json:"note,omitempty"`
	Images     *int   `json:"images,omitempty"` // pictures that are in it
	wrong
}

// imagePlan is what an image request will make.
type imagePlan struct {
	Width   int    `json:"width"`
	Height  int    `json:"height"`
	N       int    `json:"n"`
	Style   string `json:"style,omitempty"`
	Sources []ref  `json:"sources,omitempty"`
	Note    string `json:"note,omitempty"`
	wrong
}

// musicPlan is what a music task will make.
type musicPlan struct {
	Engine       string  `json:"engine"`
	Title        string  `json:"title,omitempty"`
	Lyrics       string  `json:"lyrics,omitempty"`
	Tags         string  `json:"tags,omitempty"`
	SampleRate   int     `json:"sample_rate"`
	Mono         bool    `json:"mono,omitempty"`
	DurationMS   int64   `json:"duration_ms"`
	Instrumental bool    `json:"instrumental,omitempty"`
	Speed        float64 `json:"speed"`
	Volume       float64 `json:"volume"`
	Pitch        float64 `json:"pitch"`
	Note         string  `json:"note,omitempty"`
	wrong
}

// wrong is what a rule makes of a result in place of what was asked for.
type wrong struct {
	// Off says that the size is another one; then nothing is told of the original that a small copy
	// stands for.
	Off bool `json:"off,omitempty"`
	// Made is what the result really is, where the plan only claims; nil where it is as planned.
	Made *script.Media `json:"made,omitempty"`
}

// deliver returns what is claimed of a result that was asked for, and notes what it really is.
func (x *wrong) deliver(d script.Deliver, asked script.Media) script.Media {
	claimed, made := d.Of(asked)
	x.Off = made.Width != asked.Width || made.Height != asked.Height
	if made != claimed {
		x.Made = &made
	}
	return claimed
}

// really is what is made of a plan.
func (x *wrong) really(planned script.Media) script.Media {
	if x.Made != nil {
		return *x.Made
	}
	return planned
}

func (r *record) created() time.Time { return time.UnixMilli(r.CreatedMS) }

// phase is where a task stands, in terms of no format.
type phase string

const (
	phaseQueued    phase = "queued"
	phaseRunning   phase = "in_progress"
	phaseCompleted phase = "completed"
	phaseFailed    phase = "failed"
)

// state is the state of a task at one moment.
type state struct {
	phase    phase
	term     string // scripted term that stands for the phase, "" for the format's own
	progress int    // 0..100
	started  time.Time
	ended    time.Time // zero while it goes on
	code     string    // of the failure
	message  string
}

// failAt is the part of the run after which a scripted failure shows.
const failAt = 0.6

// at is the whole state machine: it returns the state of the task at a moment. It is pure, and
// monotonic in now.
func (r *record) at(now time.Time) state {
	begin := r.created().Add(time.Duration(r.QueueMS) * time.Millisecond)
	run := time.Duration(r.RunMS) * time.Millisecond
	stay := r.Script.Stay
	if r.Sync {
		now, stay = begin.Add(run), ""
	}
	if stay == script.StayQueued || now.Before(begin) {
		return state{phase: phaseQueued, term: r.Script.First}
	}
	st := state{phase: phaseRunning, term: r.Script.Term, started: begin}
	since := now.Sub(begin)
	if stay == script.StayRunning {
		st.progress = min(42, percent(since, run))
		return st
	}
	if r.Script.Fails() {
		run = time.Duration(float64(run) * failAt)
	}
	if since < run {
		st.progress = min(99, percent(since, time.Duration(r.RunMS)*time.Millisecond))
		return st
	}
	st.term, st.ended = "", begin.Add(run)
	if r.Script.Fails() {
		st.phase, st.progress = phaseFailed, int(failAt*100)
		st.code, st.message = r.Script.Failure()
		return st
	}
	st.phase, st.progress = phaseCompleted, 100
	return st
}

// takes returns how long the task takes from create to end.
func (r *record) takes() time.Duration {
	return time.Duration(r.QueueMS+r.RunMS) * time.Millisecond
}

func percent(part, whole time.Duration) int {
	if whole <= 0 || part >= whole {
		return 100
	}
	return int(part * 100 / whole)
}

// label returns the small line on a picture. It does not name the model: results are judged blind.
func (r *record) label() string {
	if r.Mode == "" {
		return fmt.Sprintf("seed %d", r.Seed)
	}
	return fmt.Sprintf("%s · seed %d", r.Mode, r.Seed)
}

// schedule sets the task's phases from the timing, the script and the seed.
func (r *record) schedule(sp span, now time.Time) {
	f := 1.0
	if !r.Script.Pace.Own() {
		f = 0.85 + 0.3*float64(mix(r.Seed, r.Model)%1000)/1000
	}
	if r.Script.Slow > 0 {
		f *= r.Script.Slow
	}
	r.CreatedMS = now.UnixMilli()
	queue, run := r.Script.Pace.Phases(sp.queue, sp.run)
	r.QueueMS = int64(f * float64(queue.Milliseconds()))
	r.RunMS = int64(f * float64(run.Milliseconds()))
	// A scripted term must be seen, even if the phase that it stands for takes no time.
	if r.Script.First != "" {
		r.QueueMS = max(r.QueueMS, termMS)
	}
	if r.Script.Term != "" {
		r.RunMS = max(r.RunMS, termMS)
	}
}

// termMS is the least time that a phase with a scripted term lasts, in milliseconds.
const termMS = 1000

// mix returns a number that depends on its arguments alone.
func mix(seed int64, texts ...string) uint64 {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%d", seed)
	for _, t := range texts {
		_, _ = h.Write([]byte{0})
		_, _ = io.WriteString(h, t)
	}
	return h.Sum64()
}
