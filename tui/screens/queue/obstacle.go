package queue

import (
	"fmt"
	"strings"

	"darkroom/client"
	"darkroom/jobs"
	"darkroom/jobs/chain"
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
	if use, ok := chainUses()[id]; ok {
		if _, err := chain.Take(j, use); err != nil {
			return err.Error()
		}
		return ""
	}
	if a, ok := jobActions()[id]; ok && (a != jobs.ActPause || !j.Paused) {
		return jobs.WhyNot(a, j)
	}
	return ""
}

// jobActions are what actions of the screen do with a job.
func jobActions() map[string]jobs.Action {
	return map[string]jobs.Action{
		"queue.download": jobs.ActDownload, "queue.download-again": jobs.ActDownload, "queue.open-file": jobs.ActOpen,
		"queue.repoll": jobs.ActRepoll, "queue.inspect": jobs.ActLookUp, "queue.adopt": jobs.ActAdopt, "queue.resend": jobs.ActResend,
		"queue.pause": jobs.ActPause, "queue.drop": jobs.ActDrop, "queue.chain-parent": jobs.ActParent,
	}
}
