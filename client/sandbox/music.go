package sandbox

import (
	"encoding/json"
	"math"
	"net/http"
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/client/sandbox/script"
	"darkroom/client/text"
)

// envelope is the wrapper of both music answers: code is the text success.
type envelope struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data"`
}

// musicAnswer is the data of GET /famN/fetch/{task_id}. GATEWAY.md says what it
// carries and not under which names; these are the ones that such gateways use.
type musicAnswer struct {
	TaskID     string         `json:"task_id"`
	Action     string         `json:"action"`
	Status     string         `json:"status"`
	FailReason string         `json:"fail_reason"`
	SubmitTime int64          `json:"submit_time"` // Unix seconds
	StartTime  int64          `json:"start_time"`
	FinishTime int64          `json:"finish_time"`
	Progress   string         `json:"progress"` // "30%"
	Properties map[string]any `json:"properties"`
	Data       []song         `json:"data"` // null until the task is done
}

type song struct {
	ID           string       `json:"id"`
	Title        string       `json:"title"`
	Status       string       `json:"status"`
	AudioURL     string       `json:"audio_url"`
	ImageURL     string       `json:"image_url"`
	ModelName    string       `json:"model_name"`
	Text         string       `json:"text"` // lyrics
	OutputFormat string       `json:"output_format"`
	Note         string       `json:"note,omitempty"`
	Metadata     songMetadata `json:"metadata"`
}

type songMetadata struct {
	Tags       string      `json:"tags"`
	Prompt     string      `json:"prompt"`
	Duration   json.Number `json:"duration"` // seconds
	SampleRate int         `json:"sample_rate"`
	Seed       int64       `json:"seed"`
}

var musicStatus = map[phase]string{phaseQueued: "QUEUED", phaseRunning: "IN_PROGRESS", phaseCompleted: "SUCCESS", phaseFailed: "FAILURE"}

func (s *Server) getMusic(w http.ResponseWriter, r *http.Request, vars []string) error {
	s.counts.queries.Add(1)
	t, err := s.find(w, r, vars[0], kindMusic)
	if err != nil {
		return err
	}
	if t == nil {
		return notFound("no music task %q on this gateway", text.Clip(vars[0], 80))
	}
	writeJSON(w, http.StatusOK, envelope{Code: "success", Data: musicBody(t, t.at(s.now()), s.links(r))})
	return nil
}

func musicBody(t *record, st state, l links) musicAnswer {
	p := t.Music
	out := musicAnswer{TaskID: t.ID, Action: "MUSIC", Status: musicStatus[st.phase], SubmitTime: t.created().Unix(),
		StartTime: unix(st.started), FinishTime: unix(st.ended), Progress: strconv.Itoa(st.progress) + "%",
		Properties: map[string]any{"input": t.Prompt, "upstream_model_name": p.Engine, "origin_model_name": t.Model}}
	if st.term != "" {
		out.Status = strings.ToUpper(st.term)
	}
	if t.ExternalID != "" {
		out.Properties["external_task_id"] = t.ExternalID
	}
	if st.phase == phaseFailed {
		out.FailReason = st.code + ": " + st.message
	}
	if st.phase == phaseCompleted {
		out.Data = []song{{ID: strings.TrimPrefix(t.ID, t.Kind.prefix()), Title: p.Title, Status: "complete",
			AudioURL: l.file(t, songName), ImageURL: l.file(t, coverName), ModelName: p.Engine, Text: p.Lyrics,
			OutputFormat: "wav", Note: p.Note, Metadata: songMetadata{Tags: p.Tags, Prompt: t.Prompt,
				Duration: rawNumber(float64(p.DurationMS) / 1000), SampleRate: p.SampleRate, Seed: t.Seed}}}
	}
	return out
}

func (s *Server) postMusic(w http.ResponseWriter, r *http.Request, _ []string) error {
	body, err := s.readBody(w, r, false)
	if err != nil {
		return err
	}
	a, err := s.check(w, r, client.Music, "", body)
	if err != nil {
		return err
	}
	rec := &record{Kind: kindMusic}
	if rec.Music, err = a.musicPlan(body); err != nil {
		return err
	}
	if err := s.accept(w, rec, a); err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, envelope{Code: "success", Data: rec.ID})
	return nil
}

const (
	defaultEngine = "famN-v5.5" // GATEWAY: Music and sound request
	musicSeconds  = 20.0
	musicRate     = 32000
)

// musicPlan decides what a request will make. duration is no field of GATEWAY.md: it
// is taken where somebody sends it.
func (a *asked) musicPlan(body map[string]any) (*musicPlan, error) {
	p := &musicPlan{Engine: a.text("upstream_model"), Title: text.Head(a.text("title"), 512), Instrumental: a.flag("make_instrumental")}
	if p.Engine == "" {
		p.Engine = defaultEngine
	}
	if _, ok := a.Values["duration"]; !ok {
		a.Values = a.Values.Clone()
		if a.Values == nil {
			a.Values = client.Values{}
		}
		a.Values["duration"] = body["duration"]
	}
	seconds, err := a.number("duration", musicSeconds, 1, 180)
	if err != nil {
		return nil, err
	}
	p.DurationMS = int64(math.Round(seconds * 1000))
	rate, err := a.number("sample_rate", musicRate, 8000, 48000)
	if err != nil {
		return nil, err
	}
	p.SampleRate = int(math.Round(rate))
	if p.Speed, err = a.number("speed", 1, 0.25, 4); err != nil {
		return nil, err
	}
	if p.Volume, err = a.number("volume", 1, 0, 10); err != nil {
		return nil, err
	}
	if p.Pitch, err = a.number("pitch", 0, -24, 24); err != nil {
		return nil, err
	}
	p.words(a)
	m := p.deliver(a.script.Deliver, p.planned())
	p.DurationMS, p.SampleRate, p.Mono = m.DurationMS, m.SampleRate, m.Channels == 1
	return p, nil
}

// planned is what the plan says of the song.
func (p *musicPlan) planned() script.Media {
	m := script.Media{DurationMS: p.DurationMS, SampleRate: p.SampleRate, Channels: 2}
	if p.Mono {
		m.Channels = 1
	}
	return m
}

// words fills titles, lyrics and tags, and the note that tells what differs from the
// request.
func (p *musicPlan) words(a *asked) {
	p.Lyrics = text.Head(a.text("lyrics"), promptKept)
	if p.Lyrics == "" && a.flag("custom_mode") {
		p.Lyrics = text.Head(a.Prompt, promptKept) // the prompt is lyrics-compatible in advanced mode
	}
	var tags []string
	for _, f := range []string{"tags", "style", "genre"} {
		if t := a.text(f); t != "" {
			tags = append(tags, text.Head(t, 512))
		}
	}
	p.Tags = strings.Join(tags, ", ")
	if p.Title == "" {
		first, _, _ := strings.Cut(strings.TrimSpace(a.Prompt), "\n")
		p.Title = text.Clip(first, 60)
	}
	if p.Title == "" {
		p.Title = "Untitled"
	}
	var notes []string
	if f := strings.ToLower(a.text("output_format")); f != "wav" {
		notes = append(notes, "the embedded gateway makes WAV only")
	}
	if strings.Contains(p.Engine, "speech") || p.Engine == "127" {
		notes = append(notes, "a tune stands in for the voice: no speech is made here")
	} else if !p.Instrumental {
		notes = append(notes, "the voice sings vowels, not the lyrics")
	}
	p.Note = strings.Join(notes, "; ")
}
