// Package chain says how one job goes on from another: which part of a finished job's result serves
// a use, which models and modes take it and in which field, and how jobs are related. Only
// [Resolve] and [Read] do I/O, through what they are given.
package chain

import (
	"fmt"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/jobs"
)

// Use is what a result is wanted for.
type Use string

// The uses of a result.
const (
	Reference Use = "reference" // a reference among others, in the form as it is
	I2V       Use = "i2v"       // a picture, or the last frame of a video, becomes the first image of a video
	Extend    Use = "extend"    // the id of a video's task goes to a mode that extends it
	Edit      Use = "edit"      // a video or a picture is edited
)

// Uses lists all uses.
func Uses() []Use { return []Use{Reference, I2V, Extend, Edit} }

// ParseUse reads the name of a use.
func ParseUse(s string) (Use, error) {
	if slices.Contains(Uses(), Use(s)) {
		return Use(s), nil
	}
	names := make([]string, 0, 4)
	for _, u := range Uses() {
		names = append(names, string(u))
	}
	return "", fmt.Errorf("%q is not a use of a result: give one of %s", client.CleanLine(s), strings.Join(names, ", "))
}

// Material is what a job's result offers for a use: one of a file, an address and an id.
type Material struct {
	// Kind is image, video or audio; "" for an id.
	Kind string
	// Path is the saved file, URL the address at which the gateway offered it; either may be "".
	// The file goes before the address, which may be gone.
	Path, URL string
	// Video is the saved video whose last frame is to be taken where there is neither Path nor URL;
	// see [Frames].
	Video string
	// ID is that of the task.
	ID string
}

// Take returns the part of a job's result that serves a use. An error says why none does, and what
// to do.
func Take(j *jobs.Job, use Use) (Material, error) {
	if j.State != jobs.Completed {
		return Material{}, fmt.Errorf("only a completed job has a result to go on with; this one is %s", j.State)
	}
	if use != Reference && j.Observed {
		return Material{}, jobs.Allowed(jobs.ActCompose, j)
	}
	main := result(j)
	switch use {
	case Extend:
		switch {
		case main.Kind != "video":
			return Material{}, fmt.Errorf("only a video can be extended; the result of this job is %s", kindWord(main.Kind))
		case j.TaskID == "":
			return Material{}, fmt.Errorf("the gateway gave no id for this task, and extending needs one")
		}
		return Material{ID: j.TaskID}, nil
	case I2V:
		if main.Kind == "video" {
			return lastFrame(j, main)
		}
		if main.Kind == "audio" {
			return Material{}, fmt.Errorf("a sound has no picture to begin a video with")
		}
	case Edit:
		if main.Kind == "audio" {
			return Material{}, fmt.Errorf("the interface shows no editing of sounds")
		}
	}
	if main.Kind == "" {
		return Material{}, fmt.Errorf("the result of this job has no picture, video or sound")
	}
	if main.Path == "" && main.URL == "" {
		return Material{}, fmt.Errorf("the %s of this job is neither saved here nor behind an address of its own: download it first", main.Kind)
	}
	return main, nil
}

func kindWord(kind string) string {
	switch kind {
	case "":
		return "no medium"
	case "audio":
		return "a sound"
	case "image":
		return "a picture"
	}
	return "a " + kind
}

// lastFrame is the picture with which a video ends: of the task, else of the saved file.
func lastFrame(j *jobs.Job, video Material) (Material, error) {
	if m := find(j, client.AssetLastFrame); m.Path != "" || m.URL != "" {
		m.Kind = "image"
		return m, nil
	}
	if video.Path == "" {
		return Material{}, fmt.Errorf("the task has no last frame of its own, and the video is not saved here to take it from: download it first")
	}
	return Material{Kind: "image", Video: video.Path}, nil
}

// result is the first medium of a job's result.
func result(j *jobs.Job) Material {
	for _, kind := range []client.AssetKind{client.AssetVideo, client.AssetImage, client.AssetAudio} {
		if m := find(j, kind); m.Kind != "" {
			return m
		}
	}
	return Material{}
}

// find is the first asset of a kind, with its saved file.
func find(j *jobs.Job, kind client.AssetKind) (m Material) {
	for i := range j.Assets {
		if j.Assets[i].Kind == kind {
			m.Kind = string(kind)
			if !j.Assets[i].Content {
				m.URL = webURL(j.Assets[i].URL)
			}
			break
		}
	}
	for i := range j.Files {
		if f := &j.Files[i]; f.Kind == kind && f.Here() && f.Path != "" {
			m.Kind, m.Path = string(kind), f.Path
			break
		}
	}
	return m
}

// webURL returns an address that may serve as a reference; "" for anything else that a gateway
// sends.
func webURL(s string) string {
	low := strings.ToLower(s)
	if (strings.HasPrefix(low, "https://") || strings.HasPrefix(low, "http://")) && client.CleanLine(s) == s && !strings.ContainsAny(s, " \t") {
		return s
	}
	return ""
}
