package sandbox

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
)

// contentTypes are the shown types of the content-array request (GATEWAY: Video task,
// content-array format). input_reference is a compatibility field of no shown type.
var contentTypes = map[string]wireType{
	"prompt": isString, "content": isObjects, "function_mode": isString, "mode": isString, "image_url": isString, "image_urls": isStrings,
	"end_image_url": isString, "last_image_url": isString, "video_urls": isStrings, "audio_urls": isStrings, "seconds": isNumber,
	"duration": isNumber, "aspect_ratio": isString, "ratio": isString, "size": isString, "quality": isString, "resolution": isString,
	"fps": isNumber, "generate_audio": isBoolean, "watermark": isBoolean,
}

var contentStatus = map[phase]string{phaseQueued: "queued", phaseRunning: "running", phaseCompleted: "succeeded", phaseFailed: "failed"}

// contentCreated is the answer to POST /api/v3/contents/generations/tasks.
type contentCreated struct {
	ID        string `json:"id"`
	Status    string `json:"status"`
	CreatedAt string `json:"created_at"` // Unix seconds, as text
	Items     string `json:"items"`      // JSON
}

// contentAnswer is the state of a task in the content-array format.
type contentAnswer struct {
	ID        string         `json:"id"`
	Model     string         `json:"model"`
	Status    string         `json:"status"`
	Error     *taskError     `json:"error,omitempty"`
	CreatedAt int64          `json:"created_at"` // Unix seconds
	UpdatedAt int64          `json:"updated_at"`
	Content   *contentResult `json:"content,omitempty"`
	Usage     *contentUsage  `json:"usage,omitempty"`
	Items     string         `json:"items"` // JSON of []contentItem
}

type contentResult struct {
	VideoURL     string `json:"video_url"`
	LastFrameURL string `json:"last_frame_url,omitempty"`
}

type contentUsage struct {
	CompletionTokens int64 `json:"completion_tokens"`
	TotalTokens      int64 `json:"total_tokens"`
	made
}

type contentItem struct {
	Status   string         `json:"status"`
	Progress int            `json:"progress"`
	Content  *contentResult `json:"content,omitempty"`
	Error    *taskError     `json:"error,omitempty"`
}

func (s *Server) postContent(w http.ResponseWriter, r *http.Request, _ []string) error {
	body, err := s.readBody(w, r, false)
	if err != nil {
		return err
	}
	if err := s.modelOf(body, formatContent); err != nil {
		return err
	}
	if err := checkTypes("", body, contentTypes); err != nil {
		return err
	}
	rec, _, err := s.createVideo(w, r, body, formatContent, needsImage, needsPrompt)
	if err != nil {
		return err
	}
	st := contentStatus[phaseQueued]
	writeJSON(w, http.StatusOK, contentCreated{ID: rec.ID, Status: st, CreatedAt: strconv.FormatInt(rec.created().Unix(), 10),
		Items: jsonText([]contentItem{{Status: st}})})
	return nil
}

// imageFields are where a request may have an image.
var imageFields = []string{"image", "end_image", "images", "reference_images", "image_list"}

// needsImage is the one refusal that GATEWAY.md words (Errors 3): a mode, or the model
// itself, needs an image and there is none at all.
func needsImage(a *asked, problems []catalog.Problem) error {
	if a.images() > 0 {
		return nil
	}
	for _, p := range problems {
		others := slices.ContainsFunc(p.Allowed, func(f string) bool { return f == "videos" || f == "audios" })
		if p.Severity == catalog.Block && slices.Contains(imageFields, p.Field) && !others && len(a.Values.List(p.Field)) == 0 {
			return badRequest(p.Field, "at least one image is required: %s", p.Message)
		}
	}
	return nil
}

// images counts the images of a request, over all fields and content.
func (a *asked) images() int {
	n := 0
	for _, f := range imageFields {
		n += len(a.Values.List(f))
	}
	for _, it := range a.Values.List("content") {
		if o, ok := it.(map[string]any); ok && o["type"] == "image_url" {
			n++
		}
	}
	return n
}

func needsPrompt(a *asked, _ []catalog.Problem) error {
	if strings.TrimSpace(a.Prompt) == "" {
		return badRequest(client.FieldPrompt, "prompt is required and must not be empty (a text item of content will do)")
	}
	return nil
}

func (s *Server) getContent(w http.ResponseWriter, r *http.Request, vars []string) error {
	t, err := s.findVideo(w, r, vars[0], formatContent)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, contentBody(t, t.at(s.now()), s.links(r)))
	return nil
}

func contentBody(t *record, st state, l links) contentAnswer {
	out := contentAnswer{ID: t.ID, Model: t.Model, Status: st.in(contentStatus), Error: st.err(), CreatedAt: t.created().Unix()}
	out.UpdatedAt = max(out.CreatedAt, unix(st.started), unix(st.ended))
	item := contentItem{Status: out.Status, Progress: st.progress, Error: out.Error}
	if st.phase == phaseCompleted {
		out.Content = &contentResult{VideoURL: l.file(t, videoName), LastFrameURL: l.file(t, lastFrameName)}
		item.Content = out.Content
		// Tokens have no meaning here: a number that follows from what was made, as is
		// usual for this format.
		n := int64(t.Video.Width) * int64(t.Video.Height) * int64(t.Video.FPS) * t.Video.DurationMS / 1000 / 1024
		out.Usage = &contentUsage{n, n, t.Video.made()}
	}
	out.Items = jsonText([]contentItem{item})
	return out
}
