package player

import (
	"darkroom/client"
	"darkroom/jobs"
)

// Of returns what can be played of a job: a saved video or sound, else the address of one. A
// picture comes last, for the desktop to show; false if there is nothing.
func Of(j *jobs.Job) (Target, bool) {
	for i := range j.Files {
		if f := &j.Files[i]; f.Here() && plays(f.Kind) {
			return Target{Path: f.Path, Audio: f.Kind == client.AssetAudio, Job: j.ID}, true
		}
	}
	for i := range j.Assets {
		if a := &j.Assets[i]; a.URL != "" && plays(a.Kind) {
			return Target{URL: a.URL, Audio: a.Kind == client.AssetAudio, Job: j.ID}, true
		}
	}
	for i := range j.Files {
		if f := &j.Files[i]; f.Here() {
			return Target{Path: f.Path, Still: true, Job: j.ID}, true
		}
	}
	return Target{}, false
}

func plays(k client.AssetKind) bool { return k == client.AssetVideo || k == client.AssetAudio }
