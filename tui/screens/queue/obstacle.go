package queue

import (
	"fmt"
	"strings"

	"darkroom/client"
	"darkroom/jobs"
)

// off says why an action cannot be done now, "" when it can.
func (m *Model) off(id string) string {
	if strings.HasPrefix(id, scopeZoom+".") {
		return m.offZoom(id)
	}
	switch id {
	case "queue.filter", "queue.clear-filter", "queue.reload", "queue.pause-all", "queue.pause-host", "queue.gallery":
		return ""
	case "queue.larger", "queue.smaller":
		return m.offSize(id)
	case "queue.preview":
		if m.deps.Previews == nil {
			return "there are no previews here"
		}
		return ""
	}
	j := m.job()
	if j == nil {
		return "there is no job under the cursor"
	}
	switch id {
	case "queue.zoom":
		return m.offLook()
	case "queue.play", "queue.step", "queue.step-back":
		return m.playOff(j)
	case "queue.player", "queue.player-forward", "queue.player-back", "queue.player-stop":
		return m.outsideOff(id, j)
	case "queue.flip":
		_, off := m.other()
		return off
	case "queue.download", "queue.download-again", "queue.repoll", "queue.drop", "queue.pause":
		if len(m.marked) == 0 {
			return obstacle(id, j)
		}
		for marked := range m.marked {
			if obstacle(id, m.jobs.get(marked)) == "" {
				return ""
			}
		}
		return fmt.Sprintf("none of the %d marked: this cannot be done to them", len(m.marked))
	case "queue.to-video":
		if off := obstacle(id, j); off != "" {
			return off
		}
		return m.frameOff(j)
	case "queue.extend":
		if j != nil && m.deps.Profile != "" && j.Profile != m.deps.Profile {
			return "this job is of the profile " + client.CleanLine(j.Profile) + ": its id means nothing to the gateway of " + client.CleanLine(m.deps.Profile)
		}
		return obstacle(id, j)
	default:
		return obstacle(id, j)
	}
}

// obstacle says why an action cannot be done to a job, "" when it can.
func obstacle(id string, j *jobs.Job) string {
	if j == nil {
		return "the job is not in the list any more"
	}
	if off := chainOff(id, j); off != "" {
		return off
	}
	s := j.State
	switch id {
	case "queue.download", "queue.download-again":
		if s != jobs.Completed {
			return "only completed jobs have results to download; this one is " + string(s)
		}
		if len(j.Assets) == 0 {
			return "the result of this job has no files"
		}
	case "queue.open-file":
		if firstFile(j) == "" {
			return "no file of this job is on the disk"
		}
	case "queue.repoll":
		if s != jobs.Planned && !s.Polled() && (s != jobs.Lost || j.TaskID == "") {
			return "there is nothing to ask about: this job is " + string(s)
		}
	case "queue.inspect":
		if j.TaskID == "" {
			return "there is no task id to look up"
		}
	case "queue.adopt":
		if s != jobs.Ambiguous && s != jobs.Lost {
			return "only a job whose create or task was lost can adopt an id"
		}
	case "queue.resend":
		if s != jobs.Ambiguous && s != jobs.Refused {
			return "only a lost or refused create can be sent again; take this one to Compose instead"
		}
	case "queue.pause":
		if !j.Paused && !s.Active() && !pending(j) {
			return "this job has ended: there is nothing to pause"
		}
	case "queue.drop":
		switch {
		case s == jobs.Submitting:
			return "the create waits for its answer; drop it after that"
		case !s.Active() && s != jobs.Ambiguous && !pending(j):
			return "this job has ended: there is nothing to drop"
		}
	}
	return ""
}
