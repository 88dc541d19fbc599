package sandbox

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/text"
)

// taskAnswer is the state of a task in the second vendor-style format.
type taskAnswer struct {
	Output    taskOutput `json:"output"`
	Usage     *taskUsage `json:"usage,omitempty"`
	RequestID string     `json:"request_id"`
}

// tasksKnown is how long this format knows a task: after that its status is UNKNOWN.
const tasksKnown = 24 * time.Hour

// taskOutput holds texts only; times are in UTC, such as "2026-03-01 12:00:00.000".
type taskOutput struct {
	TaskID        string `json:"task_id"`
	TaskStatus    string `json:"task_status"`
	SubmitTime    string `json:"submit_time,omitempty"`
	ScheduledTime string `json:"scheduled_time,omitempty"`
	EndTime       string `json:"end_time,omitempty"`
	VideoURL      string `json:"video_url,omitempty"`
	Code          string `json:"code,omitempty"`
	Message       string `json:"message,omitempty"`
}

type taskUsage struct {
	Duration   int64 `json:"duration"` // seconds
	SR         int   `json:"SR"`       // resolution, as 720
	VideoCount int   `json:"video_count"`
	made
}

var taskStatus = map[phase]string{phaseQueued: "PENDING", phaseRunning: "RUNNING", phaseCompleted: "SUCCEEDED", phaseFailed: "FAILED"}

func vendorTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04:05.000")
}

func (s *Server) getTask(w http.ResponseWriter, r *http.Request, vars []string) error {
	t, err := s.findVideo(w, r, vars[0], formatTasks)
	if err != nil {
		return err
	}
	if t.forgotten(s.now(), tasksKnown) {
		writeJSON(w, http.StatusOK, taskAnswer{RequestID: w.Header().Get(requestID), Output: taskOutput{TaskID: t.ID, TaskStatus: "UNKNOWN"}})
		return nil
	}
	st := t.at(s.now())
	out := taskAnswer{RequestID: w.Header().Get(requestID), Output: taskOutput{TaskID: t.ID, TaskStatus: strings.ToUpper(st.in(taskStatus)),
		SubmitTime: vendorTime(t.created()), ScheduledTime: vendorTime(st.started), EndTime: vendorTime(st.ended),
		Code: st.code, Message: st.message}}
	if st.phase == phaseCompleted {
		out.Output.VideoURL = s.links(r).file(t, videoName)
		out.Usage = &taskUsage{Duration: (t.Video.DurationMS + 500) / 1000, SR: lines(t.Video.Resolution), VideoCount: 1, made: t.Video.made()}
	}
	writeJSON(w, http.StatusOK, out)
	return nil
}

// lines returns the number of a resolution, such as 720 for "720P".
func lines(resolution string) int {
	n, err := strconv.Atoi(strings.TrimRight(resolution, "pP"))
	if err != nil {
		return 720
	}
	return n
}

// statusAnswer is the state of a task in the status format.
type statusAnswer struct {
	TaskID   string          `json:"task_id"`
	Status   string          `json:"status"`
	URL      string          `json:"url,omitempty"`
	Format   string          `json:"format,omitempty"`
	Metadata *statusMetadata `json:"metadata,omitempty"`
	Error    *statusProblem  `json:"error,omitempty"`
}

type statusMetadata struct {
	Duration float64 `json:"duration"` // seconds
	FPS      int     `json:"fps"`
	Width    int     `json:"width"`
	Height   int     `json:"height"`
	Seed     int64   `json:"seed"`
	made
}

type statusProblem struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// statusCode stands for failure codes that are not numbers, since this format wants one.
const statusCode = 5000

func (s *Server) getStatus(w http.ResponseWriter, r *http.Request, vars []string) error {
	t, err := s.findVideo(w, r, vars[0], formatStatus)
	if err != nil {
		return err
	}
	st := t.at(s.now())
	out := statusAnswer{TaskID: t.ID, Status: st.status()}
	switch p := t.Video; st.phase {
	case phaseCompleted:
		out.URL, out.Format = s.links(r).file(t, videoName), "mp4"
		out.Metadata = &statusMetadata{Duration: float64(p.DurationMS) / 1000, FPS: p.FPS, Width: p.Width, Height: p.Height, Seed: t.Seed, made: p.made()}
	case phaseFailed:
		out.Error = &statusProblem{statusCode, st.code + ": " + st.message}
		if n, err := strconv.Atoi(st.code); err == nil {
			out.Error = &statusProblem{n, st.message}
		}
	}
	writeJSON(w, http.StatusOK, out)
	return nil
}

var (
	inputTypes     = map[string]wireType{"prompt": isString, "media": isObjects}
	parameterTypes = map[string]wireType{"duration": isInteger, "resolution": isString, "ratio": isString, "watermark": isBoolean, "seed": isInteger}
	mediaTypesOf   = map[string]string{"first_frame": "image", "last_frame": "image", "reference_image": "image",
		"reference_video": "video", "reference_audio": "audio"}
	mediaKinds = []string{"first_frame", "last_frame", "reference_image", "reference_video", "reference_audio"}
)

// liftVendor turns a request of the second vendor-style format, whose create endpoint is not shown,
// into one of the common format: input becomes prompt and content, and parameters stay what they
// are.
func (s *Server) liftVendor(body map[string]any) error {
	in, ok := body["input"].(map[string]any)
	if !ok {
		return nil
	}
	if err := s.modelOfRoute(body); err != nil {
		return err
	}
	if err := checkTypes("input.", in, inputTypes); err != nil {
		return err
	}
	if p, ok := body["parameters"].(map[string]any); ok {
		if err := checkTypes("parameters.", p, parameterTypes); err != nil {
			return err
		}
	}
	prompt, _ := in["prompt"].(string)
	if strings.TrimSpace(prompt) == "" {
		return badRequest("input.prompt", "input.prompt is required")
	}
	media, _ := in["media"].([]any)
	var content []any
	for i, it := range media {
		item, err := liftMedia("input.media["+strconv.Itoa(i)+"]", it.(map[string]any)) // the type was checked
		if err != nil {
			return err
		}
		content = append(content, item)
	}
	body[client.FieldPrompt] = prompt
	if len(content) > 0 {
		body["content"] = content
	}
	delete(body, "input")
	return nil
}

// modelOfRoute refuses an input object for models without that format.
func (s *Server) modelOfRoute(body map[string]any) error {
	cat, err := s.rules()
	if err != nil {
		return internal("catalog", err)
	}
	id, _ := body[client.FieldModel].(string)
	if m, known := cat.Model(id); known && !slices.Contains(m.Routes, formatTasks) {
		return badRequest("input", "input: model %q has no requests of that form, its fields are at the top", id)
	}
	return nil
}

// liftMedia turns an item of input.media into one of content. Which key names the kind is not
// shown: type, kind and role are accepted.
func liftMedia(name string, o map[string]any) (map[string]any, error) {
	kind := ""
	for _, k := range []string{"type", "kind", "role"} {
		if t, ok := o[k].(string); ok && kind == "" {
			kind = t
		}
	}
	typ, ok := mediaTypesOf[kind]
	if !ok {
		return nil, badRequest(name, "%s: kind %q: allowed are %s", name, text.Clip(kind, 40), strings.Join(mediaKinds, ", "))
	}
	u := urlIn(o)
	if err := checkAddress(u); err != nil {
		return nil, badRequest(name, "%s %q: %s", name, text.Clip(u, 60), err)
	}
	typ += "_url"
	return map[string]any{"type": typ, typ: map[string]any{"url": u}, "role": kind}, nil
}
