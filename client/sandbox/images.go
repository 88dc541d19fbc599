package sandbox

import (
	"encoding/base64"
	"math"
	"net/http"

	"darkroom/client"
	"darkroom/client/sandbox/script"
)

// imagesAnswer is the body of POST /v1/images/generations.
type imagesAnswer struct {
	Created int64       `json:"created"` // Unix seconds
	Data    []imageItem `json:"data"`
	Note    string      `json:"note,omitempty"`
}

type imageItem struct {
	URL           string `json:"url,omitempty"`
	B64           string `json:"b64_json,omitempty"`
	RevisedPrompt string `json:"revised_prompt,omitempty"`
}

// imagesMax bounds n. GATEWAY.md shows no bound.
const imagesMax = 10

var imageInputKinds = map[string]string{"image": "image", "images": "image", "image_list": "image", "subject_image_list": "image",
	"scene_image": "image", "style_image": "image", "human_image": "image", "cloth_image": "image", "reference_images": "image"}

func (s *Server) postImage(w http.ResponseWriter, r *http.Request, _ []string) error {
	body, err := s.readBody(w, r, false)
	if err != nil {
		return err
	}
	a, err := s.check(w, r, client.Image, "", body)
	if err != nil {
		return err
	}
	rec := &record{Kind: kindImage, Sync: true}
	if s.opts.AsyncImages || a.script.Async {
		rec.Kind, rec.Sync = kindResponse, false
	}
	if rec.Image, err = s.imagePlan(a); err != nil {
		return err
	}
	if rec.Kind == kindResponse {
		if err := s.accept(w, rec, a); err != nil {
			return err
		}
		writeJSON(w, http.StatusOK, responseBody(rec, state{phase: phaseQueued}, s.links(r)))
		return nil
	}
	if err := failSync(a.script); err != nil {
		return err
	}
	if err := s.accept(w, rec, a); err != nil {
		return err
	}
	if err := pause(r.Context(), rec.takes()); err != nil {
		return nil // nobody is there to answer
	}
	return s.answerImages(w, r, rec, a.text("response_format") == "b64_json")
}

// answerImages sends the finished result.
func (s *Server) answerImages(w http.ResponseWriter, r *http.Request, rec *record, inline bool) error {
	out := imagesAnswer{Created: rec.created().Unix(), Note: rec.Image.Note}
	for i := 1; i <= rec.Image.N; i++ {
		item := imageItem{RevisedPrompt: rec.Prompt}
		if inline {
			b, err := s.studio.file(r.Context(), rec, imageName(i))
			if err != nil {
				return internal("the picture could not be made", err)
			}
			item.B64 = base64.StdEncoding.EncodeToString(b)
		} else {
			item.URL = s.links(r).file(rec, imageName(i))
		}
		out.Data = append(out.Data, item)
	}
	writeJSON(w, http.StatusOK, out)
	return nil
}

// imagePlan decides what a request will make.
func (s *Server) imagePlan(a *asked) (*imagePlan, error) {
	n, err := a.number("n", 1, 1, imagesMax)
	if err == nil && n != math.Trunc(n) {
		err = badRequest("n", "n %s: a whole number from 1 to %d", plain(n), imagesMax)
	}
	if err != nil {
		return nil, err
	}
	ins, err := a.inputs(imageInputKinds, "image", "images", "image_list", "subject_image_list", "scene_image", "style_image",
		"human_image", "cloth_image", "reference_images")
	if err != nil {
		return nil, err
	}
	p := &imagePlan{N: int(n), Style: a.text("style")}
	for _, in := range ins {
		r, err := s.picture(in)
		if err != nil {
			return nil, err
		}
		p.Sources = append(p.Sources, r)
	}
	p.Note = inputNote(p.Sources...)
	if p.Width, p.Height, err = a.pictureSize(p.Sources); err != nil {
		return nil, err
	}
	m := p.deliver(a.script.Deliver, script.Media{Width: p.Width, Height: p.Height})
	p.Width, p.Height = m.Width, m.Height
	return p, nil
}
