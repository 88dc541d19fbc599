package sandbox

import (
	"slices"

	"darkroom/client/text"
)

// referenceModes use pictures as references, not as frames.
var referenceModes = []string{"r2v", "reference_images", "reference_material", "multi_i2v", "edit", "video_edit"}

var videoInputKinds = map[string]string{"image": "image", "end_image": "image", "images": "image",
	"reference_images": "image", "image_list": "image", "videos": "video", "audios": "audio"}

// videoInputs sorts the media of a request into first frame, last frame and
// references.
func (s *Server) videoInputs(a *asked, p *videoPlan) error {
	ins, err := a.inputs(videoInputKinds, "image", "end_image", "images", "reference_images", "image_list", "videos", "audios")
	if err != nil {
		return err
	}
	var all []ref
	images := 0
	for _, in := range ins {
		if in.kind == "audio" {
			if _, err := s.picture(in); err != nil {
				return err
			}
			continue
		}
		r, err := s.picture(in)
		if err != nil {
			return err
		}
		all = append(all, r)
		p.assign(a, in, r)
		if in.kind == "image" {
			images++
		}
	}
	p.Images = &images
	if err := s.extends(a, p); err != nil {
		return err
	}
	p.Note = inputNote(all...)
	return nil
}

// assign gives a picture its part in the video.
func (p *videoPlan) assign(a *asked, in input, r ref) {
	field := baseField(a, in.field)
	references := slices.Contains(referenceModes, a.Mode)
	switch {
	case in.kind == "video":
		if p.First == nil {
			p.First = &r
			return
		}
	case in.role == "last_frame" || field == "end_image":
		p.Last = &r
		return
	case in.role == "first_frame", !references && in.role == "" && p.First == nil && (field == "image" || field == "images"):
		if p.First == nil {
			p.First = &r
			return
		}
	case a.Mode == "i2v_first_last" && field == "images" && p.Last == nil:
		p.Last = &r
		return
	}
	p.References = append(p.References, r)
}

// extends lets a famF extension start where its source ends (GATEWAY: Mode and model
// rules 2).
func (s *Server) extends(a *asked, p *videoPlan) error {
	id := a.text("video_id")
	if id == "" || a.Mode != "extend" {
		return nil
	}
	t := s.owned(a.owner, id, kindVideo)
	if t == nil {
		return badRequest(a.name("video_id"), "video_id %q: no video task of this gateway has that id", text.Clip(id, 80))
	}
	if st := t.at(s.now()); st.phase != phaseCompleted {
		return badRequest(a.name("video_id"), "video_id %q: that task is not completed, its status is %s", id, st.status())
	}
	r := pictureOf(t, lastFrameName)
	p.First, p.Source = &r, t.ID
	return nil
}

// made is what the answer about a finished video tells of it beside what the interface shows, in
// every format.
type made struct {
	// ScaledFrom is the size or the resolution of which the video is a small copy.
	ScaledFrom string `json:"scaled_from,omitempty"`
	// InputImages is how many of the pictures that were sent are in it; nil for a task of an
	// earlier version.
	InputImages *int `json:"input_images,omitempty"`
}

func (p *videoPlan) made() made {
	m := made{ScaledFrom: p.Resolution, InputImages: p.Images}
	if p.Off {
		m.ScaledFrom = ""
		return m
	}
	if w, h, ok := pair(p.Size, "xX×*"); ok {
		if m.ScaledFrom = p.Size; int(w) == p.Width && int(h) == p.Height {
			m.ScaledFrom = ""
		}
	}
	return m
}
