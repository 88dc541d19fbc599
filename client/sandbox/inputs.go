package sandbox

import (
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"net/url"
	"slices"
	"strings"

	"darkroom/client/sandbox/media"
	"darkroom/client/text"
)

// ref is a picture that a result derives from.
type ref struct {
	// Kind is blob (an input that was sent, Value its name), file (a picture of a
	// task, Value "<task id>/<file name>") or text (nothing was fetched: a picture is
	// derived from Value).
	Kind   string `json:"kind"`
	Value  string `json:"value"`
	Width  int    `json:"width,omitempty"` // 0 when unknown
	Height int    `json:"height,omitempty"`
}

const (
	refBlob = "blob"
	refFile = "file"
	refText = "text"
)

// input is one media value of a request.
type input struct {
	field string // as the request called it
	role  string // first_frame, last_frame, reference_image, …; "" when only the field tells
	kind  string // image, video, audio
	value string
}

// maxInputs bounds the media values of one request.
const maxInputs = 64

// inputs lists the media values of the given fields and of content, in that order.
func (a *asked) inputs(kinds map[string]string, fields ...string) ([]input, error) {
	var out []input
	for _, f := range fields {
		for i, it := range a.Values.List(f) {
			name := a.name(f)
			if _, list := a.Values[f].([]any); list {
				name = fmt.Sprintf("%s[%d]", name, i)
			}
			in, err := readInput(name, kinds[f], it)
			if err != nil {
				return nil, err
			}
			out = append(out, in)
		}
	}
	for i, it := range a.Values.List("content") {
		in, ok, err := readContent(fmt.Sprintf("content[%d]", i), it)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, in)
		}
	}
	if len(out) > maxInputs {
		return nil, badRequest(out[maxInputs].field, "%s: the embedded gateway takes at most %d media inputs", out[maxInputs].field, maxInputs)
	}
	return out, nil
}

// urlKeys are the keys under which an object may hold its media value.
var urlKeys = []string{"url", "image_url", "image", "video_url", "video", "audio_url", "subject_image"}

func readInput(name, kind string, v any) (input, error) {
	in := input{field: name, kind: kind}
	switch t := v.(type) {
	case string:
		in.value = strings.TrimSpace(t)
	case map[string]any:
		in.value = urlIn(t)
		in.role, _ = t["role"].(string)
		if typ, _ := t["type"].(string); in.role == "" && strings.HasSuffix(typ, "_frame") {
			in.role = strings.Replace(typ, "end_frame", "last_frame", 1)
		}
	}
	if in.value == "" {
		return in, badRequest(name, "%s: an http(s) URL or a data URI is required", name)
	}
	return in, nil
}

func urlIn(o map[string]any) string {
	for _, k := range urlKeys {
		switch t := o[k].(type) {
		case string:
			return strings.TrimSpace(t)
		case map[string]any:
			if u, ok := t["url"].(string); ok {
				return strings.TrimSpace(u)
			}
		}
	}
	return ""
}

// readContent reads an item of content (GATEWAY: Content item); ok is false for text.
func readContent(name string, v any) (in input, ok bool, err error) {
	o, isObject := v.(map[string]any)
	if !isObject {
		return in, false, badRequest(name, "%s: an object with type text, image_url, video_url or audio_url is required", name)
	}
	typ, _ := o["type"].(string)
	kind, media := strings.CutSuffix(typ, "_url")
	if !media || !slices.Contains([]string{"image", "video", "audio"}, kind) {
		if typ == "text" {
			return in, false, nil
		}
		return in, false, badRequest(name+".type", "%s.type %q: allowed are text, image_url, video_url, audio_url", name, text.Clip(typ, 40))
	}
	in, err = readInput(name+"."+typ, kind, o)
	return in, err == nil, err
}

var errNoAddress = errors.New("an http(s) URL or a data URI is required")

func webURL(v string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(v))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errNoAddress
	}
	return u, nil
}

// checkAddress says whether a media value has one of the forms that are taken.
func checkAddress(v string) error {
	if len(v) >= 5 && strings.EqualFold(v[:5], "data:") {
		return nil
	}
	_, err := webURL(v)
	return err
}

// picture turns a media value into the picture that a result derives from. Nothing is
// ever fetched: data URIs are kept, our own result URLs are looked up, and of any
// other URL only the text counts.
func (s *Server) picture(in input) (ref, error) {
	if data, ok, err := dataURI(in.value); err != nil {
		return ref{}, badRequest(in.field, "%s: %s", in.field, err)
	} else if ok {
		return s.sentPicture(in, data)
	}
	u, err := webURL(in.value)
	if err != nil {
		return ref{}, badRequest(in.field, "%s %q: %s", in.field, text.Clip(in.value, 60), err)
	}
	if r, name, ok := s.ownFile(u); ok {
		return pictureOf(r, name), nil
	}
	return ref{Kind: refText, Value: text.Head(in.value, 2048)}, nil
}

// sentPicture keeps the bytes of an input. Video and audio that were sent count by
// their hash alone.
func (s *Server) sentPicture(in input, data []byte) (ref, error) {
	if in.kind != "image" {
		return ref{Kind: refText, Value: fmt.Sprintf("%s %016x", in.kind, mix(0, string(data)))}, nil
	}
	img, err := media.DecodePicture(data)
	if err != nil {
		return ref{}, badRequest(in.field, "%s: the data is not a picture that the embedded gateway reads (PNG, JPEG, GIF, WebP): %s", in.field, text.Clip(err.Error(), 120))
	}
	name, err := s.store.putBlob(data)
	if err != nil {
		return ref{}, internal("the input could not be kept", err)
	}
	size := img.Bounds().Size()
	return ref{Kind: refBlob, Value: name, Width: size.X, Height: size.Y}, nil
}

// dataURI decodes a base64 data URI; ok is false for anything else.
func dataURI(v string) (data []byte, ok bool, err error) {
	if len(v) < 5 || !strings.EqualFold(v[:5], "data:") {
		return nil, false, nil
	}
	head, payload, found := strings.Cut(v[5:], ",")
	if !found || !strings.HasSuffix(strings.ToLower(head), ";base64") {
		return nil, true, fmt.Errorf("a data URI must have the form data:<type>;base64,<data>")
	}
	payload = strings.TrimRight(payload, "=")
	data, err = base64.RawStdEncoding.DecodeString(payload)
	if err != nil {
		return nil, true, fmt.Errorf("the data URI is not valid base64")
	}
	return data, true, nil
}

// pictureOf is the picture that stands for a file of a task: a picture for itself, a
// video for its poster, a song for its cover.
func pictureOf(r *record, name string) ref {
	switch r.Kind {
	case kindVideo:
		if name != lastFrameName {
			name = coverName
		}
		return ref{Kind: refFile, Value: r.ID + "/" + name, Width: r.Video.Width, Height: r.Video.Height}
	case kindMusic:
		return ref{Kind: refFile, Value: r.ID + "/" + coverName, Width: coverSide, Height: coverSide}
	default:
		return ref{Kind: refFile, Value: r.ID + "/" + name, Width: r.Image.Width, Height: r.Image.Height}
	}
}

// bounds is the first known size among pictures.
func bounds(refs ...*ref) (w, h int, ok bool) {
	for _, r := range refs {
		if r != nil && r.Width > 0 && r.Height > 0 {
			return r.Width, r.Height, true
		}
	}
	return 0, 0, false
}

// inputNote tells what became of the inputs that were not fetched, "" when all were
// taken.
func inputNote(refs ...ref) string {
	n := 0
	for _, r := range refs {
		if r.Kind == refText {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d input(s) were not fetched: the embedded gateway calls nothing, and derived pictures from their addresses", n)
}

// decode reads PNG, JPEG, GIF or WebP that the server itself keeps.
func decode(b []byte) (image.Image, error) {
	img, err := media.DecodePicture(b)
	if err != nil {
		return nil, fmt.Errorf("a kept picture (%d bytes): %w", len(b), err)
	}
	return img, nil
}

// baseField is the canonical field that an input came in.
func baseField(a *asked, name string) string {
	name, _, _ = strings.Cut(name, "[")
	for canonical, sent := range a.sent {
		if sent == name {
			return canonical
		}
	}
	return name
}
