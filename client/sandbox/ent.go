package sandbox

import (
	"encoding/json"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"darkroom/client"
	"darkroom/client/sandbox/script"
)

// entTypes are the shown types of the vendor-style request (GATEWAY: Video task,
// vendor-style format).
var entTypes = map[string]wireType{
	"prompt": isString, "mode": isString, "images": isStrings, "videos": isStrings, "subjects": isObjects, "duration": isInteger,
	"resolution": isString, "aspect_ratio": isString, "seed": isInteger, "movement_amplitude": isString, "audio": isBoolean,
	"off_peak": isBoolean, "watermark": isBoolean, "payload": isString,
}

var entState = map[phase]string{phaseQueued: "queueing", phaseRunning: "processing", phaseCompleted: "success", phaseFailed: "failed"}

const (
	entCreatedState = "created"
	entReferences   = 7 // most images of reference generation (GATEWAY: Limits)
)

// entCreated is the answer to POST /ent/v2/img2video.
type entCreated struct {
	TaskID     string      `json:"task_id"`
	State      string      `json:"state"`
	Model      string      `json:"model"`
	Prompt     string      `json:"prompt"`
	Images     []string    `json:"images"`
	Duration   json.Number `json:"duration"`
	Resolution string      `json:"resolution"`
	CreatedAt  string      `json:"created_at"` // RFC 3339
	Creations  string      `json:"creations"`  // JSON
}

// entAnswer is the state of a task in the vendor-style format.
type entAnswer struct {
	ID        string     `json:"id"`
	State     string     `json:"state"`
	ErrCode   string     `json:"err_code"`
	Payload   string     `json:"payload"`
	Creations []creation `json:"creations"`
	TaskID    string     `json:"task_id"`
	made
}

type creation struct {
	ID             string `json:"id"`
	URL            string `json:"url"`
	CoverURL       string `json:"cover_url"`
	WatermarkedURL string `json:"watermarked_url"`
}

func (s *Server) postEnt(w http.ResponseWriter, r *http.Request, _ []string) error {
	body, err := s.readBody(w, r, false)
	if err != nil {
		return err
	}
	if err := s.modelOf(body, formatEnt); err != nil {
		return err
	}
	if err := checkEnt(body); err != nil {
		return err
	}
	images, _ := body["images"].([]any)
	rec, a, err := s.createVideo(w, r, body, formatEnt)
	if err != nil {
		return err
	}
	out := entCreated{TaskID: rec.ID, State: entCreatedState, Model: rec.Model, Prompt: a.Prompt, Images: []string{},
		Duration: json.Number(plain(math.Round(float64(rec.Video.DurationMS) / 1000))), Resolution: rec.Video.Resolution,
		CreatedAt: rec.created().UTC().Format(time.RFC3339), Creations: "[]"}
	if slices.Contains(a.script.Ignore, script.IgnoreImages) {
		images = nil
	}
	for _, v := range images {
		u, _ := v.(string)
		if head, _, data := strings.Cut(u, ","); data && strings.HasPrefix(strings.ToLower(u), "data:") {
			u = head + ",…" // the picture itself is not sent back
		}
		out.Images = append(out.Images, u)
	}
	writeJSON(w, http.StatusOK, out)
	return nil
}

// checkEnt checks the types that this format states and its counts of images, and sets the mode that follows
// from the input where there is none.
func checkEnt(body map[string]any) error {
	if err := checkTypes("", body, entTypes); err != nil {
		return err
	}
	images, _ := body["images"].([]any)
	videos, _ := body["videos"].([]any)
	subjects, _ := body["subjects"].([]any)
	mode, _ := body[client.FieldMode].(string)
	if mode == "" {
		mode = entMode(len(images), len(videos)+len(subjects))
		body[client.FieldMode] = mode
	}
	switch n := len(images); {
	case mode == "t2v" && n+len(videos) > 0:
		return badRequest("images", "there are %d images and %d videos: mode t2v takes none", n, len(videos))
	case mode == "i2v" && n != 1:
		return badRequest("images", "images has %d items: image-to-video takes exactly 1", n)
	case mode == "i2v_first_last" && n != 2:
		return badRequest("images", "images has %d items: first and last frame take exactly 2", n)
	case n > entReferences, mode == "reference_images" && n == 0 && len(subjects) == 0:
		return badRequest("images", "images has %d items: reference generation takes 1 to %d", n, entReferences)
	}
	if p, _ := body[client.FieldPrompt].(string); mode == "t2v" && strings.TrimSpace(p) == "" {
		return badRequest(client.FieldPrompt, "prompt is required for text-to-video")
	}
	if mode == "reference_images" && len(images) == 0 {
		// The catalog's minimum names images alone; a subject brings its own, in fields
		// that are not shown.
		delete(body, client.FieldMode)
	}
	return nil
}

// entMode is what the input says: the format's own request has no mode.
func entMode(images, references int) string {
	switch {
	case references > 0 || images > 2:
		return "reference_images"
	case images == 2:
		return "i2v_first_last"
	case images == 1:
		return "i2v"
	default:
		return "t2v"
	}
}

func (s *Server) getEnt(w http.ResponseWriter, r *http.Request, vars []string) error {
	t, err := s.findVideo(w, r, vars[0], formatEnt)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, entBody(t, t.at(s.now()), s.now(), s.links(r)))
	return nil
}

func entBody(t *record, st state, now time.Time, l links) entAnswer {
	out := entAnswer{ID: t.ID, TaskID: t.ID, State: st.in(entState), ErrCode: st.code, Payload: t.Payload, Creations: []creation{}}
	if st.phase == phaseQueued && st.term == "" && now.Sub(t.created()) < time.Duration(t.QueueMS/4)*time.Millisecond {
		out.State = entCreatedState
	}
	if st.phase == phaseCompleted {
		u := l.file(t, videoName)
		out.made = t.Video.made()
		out.Creations = []creation{{ID: strings.TrimPrefix(t.ID, t.Kind.prefix()) + "0", URL: u, CoverURL: l.file(t, coverName), WatermarkedURL: u}}
	}
	return out
}
