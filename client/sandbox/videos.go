package sandbox

import (
	"encoding/json"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"darkroom/client/sandbox/script"
	"darkroom/client/text"
)

// videoAnswer is the body of POST /v1/videos and GET /v1/videos/{id}. GATEWAY.md shows
// id, status and video_url; the rest is what such gateways add, and ours to choose.
type videoAnswer struct {
	ID           string         `json:"id"`
	Object       string         `json:"object"`
	Model        string         `json:"model"`
	Status       string         `json:"status"`
	Progress     int            `json:"progress"`
	CreatedAt    int64          `json:"created_at"` // Unix seconds
	StartedAt    int64          `json:"started_at,omitempty"`
	CompletedAt  int64          `json:"completed_at,omitempty"`
	Seconds      string         `json:"seconds,omitempty"`
	Size         string         `json:"size,omitempty"` // as asked
	ExternalID   string         `json:"external_task_id,omitempty"`
	VideoURL     string         `json:"video_url,omitempty"`
	CoverURL     string         `json:"cover_url,omitempty"`
	LastFrameURL string         `json:"last_frame_url,omitempty"`
	Metadata     *videoMetadata `json:"metadata,omitempty"`
	Error        *taskError     `json:"error,omitempty"`
}

// videoMetadata tells what was really made.
type videoMetadata struct {
	Duration  json.Number `json:"duration"` // seconds
	FPS       int         `json:"fps"`
	Width     int         `json:"width"`
	Height    int         `json:"height"`
	Seed      int64       `json:"seed"`
	Format    string      `json:"format"`
	Audio     bool        `json:"audio"`
	DerivedOf string      `json:"derived_from,omitempty"`
	made
	Note string `json:"note,omitempty"`
}

// taskError is a failure that a task reports about itself (GATEWAY: Errors 4).
type taskError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (st state) err() *taskError {
	if st.phase != phaseFailed {
		return nil
	}
	return &taskError{st.code, st.message}
}

// status returns the term of the common format: queued, in_progress, completed, failed, or the
// scripted one.
func (st state) status() string {
	if st.term != "" {
		return st.term
	}
	return string(st.phase)
}

func unix(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

// videoBody returns the state of a video task in the common format.
func (s *Server) videoBody(r *record, st state, l links) videoAnswer {
	p := r.Video
	a := videoAnswer{ID: r.ID, Object: "video", Model: r.Model, Status: st.status(), Progress: st.progress,
		CreatedAt: r.created().Unix(), StartedAt: unix(st.started), CompletedAt: unix(st.ended),
		Seconds: p.Seconds, Size: p.Size, ExternalID: r.ExternalID, Error: st.err()}
	if st.phase == phaseCompleted {
		a.VideoURL = l.file(r, videoName)
		a.CoverURL = l.file(r, coverName)
		a.LastFrameURL = l.file(r, lastFrameName)
		a.Metadata = &videoMetadata{Duration: rawNumber(float64(p.DurationMS) / 1000), FPS: p.FPS, Width: p.Width,
			Height: p.Height, Seed: r.Seed, Format: "mp4", Audio: p.Sound, DerivedOf: p.derivedFrom(), made: p.made(), Note: p.Note}
	}
	return a
}

// derivedFrom returns the task whose picture the video starts from, "" for none.
func (p *videoPlan) derivedFrom() string {
	if p.First == nil || p.First.Kind != refFile {
		return ""
	}
	id, _, _ := strings.Cut(p.First.Value, "/")
	return id
}

func (s *Server) getVideo(w http.ResponseWriter, r *http.Request, vars []string) error {
	s.counts.queries.Add(1)
	t, err := s.find(w, r, vars[0], kindVideo)
	if err != nil {
		return err
	}
	if t == nil {
		return notFound("no video task %q on this gateway", text.Clip(vars[0], 80))
	}
	writeJSON(w, http.StatusOK, s.videoBody(t, t.at(s.now()), s.links(r)))
	return nil
}

// getVideoContent serves the bytes of a finished video, or with variant=thumbnail its poster.
func (s *Server) getVideoContent(w http.ResponseWriter, r *http.Request, vars []string) error {
	t, err := s.find(w, r, vars[0], kindVideo)
	if err != nil {
		return err
	}
	if t == nil {
		return notFound("no video task %q on this gateway", text.Clip(vars[0], 80))
	}
	if st := t.at(s.now()); st.phase != phaseCompleted {
		e := badRequest("", "Task is not completed yet, current status: %s", st.status())
		e.Code = "task_not_completed"
		return e
	}
	switch v := r.URL.Query().Get("variant"); v {
	case "", "video":
		return s.serveFile(w, r, t, videoName)
	case "thumbnail":
		return s.serveFile(w, r, t, coverName)
	default:
		return badRequest("variant", "variant %q: allowed are video, thumbnail", text.Clip(v, 40))
	}
}

func (s *Server) postVideo(w http.ResponseWriter, r *http.Request, _ []string) error {
	body, err := s.readBody(w, r, true)
	if err != nil {
		return err
	}
	if err := s.liftVendor(body); err != nil {
		return err
	}
	rec, _, err := s.createVideo(w, r, body, "")
	if err != nil {
		return err
	}
	// The initial status is not shown by GATEWAY.md; queued is what such gateways say.
	writeJSON(w, http.StatusOK, s.videoBody(rec, state{phase: phaseQueued}, s.links(r)))
	return nil
}

const (
	videoSeconds    = 5.0 // if none are asked for
	videoSecondsMax = 60.0
	videoFPS        = 12
	videoFrames     = 360 // most frames before the frame rate is lowered
)

// videoPlan decides what a request will make.
func (s *Server) videoPlan(a *asked) (*videoPlan, error) {
	p := &videoPlan{Size: a.text("size"), Resolution: a.resolution()}
	if err := s.videoInputs(a, p); err != nil {
		return nil, err
	}
	seconds, err := a.seconds()
	if err != nil {
		return nil, err
	}
	p.Seconds = plain(seconds)
	fps, err := a.number("fps", 0, 1, 120)
	if err != nil {
		return nil, err
	}
	p.FPS = frameRate(int(math.Round(fps)), seconds)
	frames := max(1, math.Round(seconds*float64(p.FPS)))
	p.DurationMS = int64(math.Round(frames * 1000 / float64(p.FPS)))
	p.Sound = a.flag("generate_audio") || a.flag("sound")
	refs := []*ref{p.First, p.Last}
	for i := range p.References {
		refs = append(refs, &p.References[i])
	}
	w, h, sized, err := a.shape(refs...)
	if err != nil {
		return nil, err
	}
	p.Width, p.Height = fitVideo(w, h, sized)
	p.shape(p.deliver(a.script.Deliver, p.planned()))
	return p, nil
}

// planned is what the plan says of the video.
func (p *videoPlan) planned() script.Media {
	return script.Media{Width: p.Width, Height: p.Height, FPS: p.FPS, DurationMS: p.DurationMS, Sound: p.Sound}
}

func (p *videoPlan) shape(m script.Media) {
	p.Width, p.Height, p.FPS, p.DurationMS, p.Sound = m.Width, m.Height, m.FPS, m.DurationMS, m.Sound
}

// resolution returns the one asked for, else the model's fixed one, else 720p.
func (a *asked) resolution() string {
	if v := a.text("resolution"); v != "" {
		return text.Head(v, 64)
	}
	if v := a.model.Fixed["resolution"]; v != "" {
		return v
	}
	return "720p"
}

// frameRate returns the rate asked for, or the usual one, lowered if the video would have too many
// frames.
func frameRate(asked int, seconds float64) int {
	if asked == 0 {
		asked = videoFPS
	}
	return max(1, min(asked, int(videoFrames/seconds), 30))
}

// seconds returns the duration of a request: the one asked for, mapped if the model maps it, else
// the model's usual one.
func (a *asked) seconds() (float64, error) {
	f := a.fields["duration"]
	def := videoSeconds
	if len(f.Allowed) > 0 {
		def = nearest(def, f.Allowed)
	}
	if d, err := strconv.ParseFloat(f.Default, 64); err == nil {
		def = d
	}
	n, err := a.number("duration", def, 0.5, videoSecondsMax)
	if err != nil || !f.Mapped {
		return n, err
	}
	return nearest(n, f.Allowed), nil
}

// nearest returns the value closest to n, the later of two equally close ones. GATEWAY.md says that
// other durations are mapped, but not how: this is one way to do it.
func nearest(n float64, values []string) float64 {
	best, dist := n, math.Inf(1)
	for _, v := range values {
		if f, err := strconv.ParseFloat(v, 64); err == nil && math.Abs(f-n) <= dist {
			best, dist = f, math.Abs(f-n)
		}
	}
	return best
}
