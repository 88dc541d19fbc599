package queue

import (
	"fmt"
	"strings"

	"darkroom/client"
	"darkroom/client/catalog"
	"darkroom/client/human"
	"darkroom/jobs"
	"darkroom/tui/screens/queue/internal/inks"
)

// shortState is a state and how far it is. If the state is unknown, the gateway's term says more.
func shortState(s *stands) string {
	if s.State == jobs.Unknown && s.RawStatus != "" {
		return inks.OneLine(s.RawStatus, 24)
	}
	text := string(s.State)
	if s.Pending {
		text = "saving"
	} else if n := s.Failed; n > 0 {
		text = fmt.Sprintf("%d not saved", n)
	}
	if s.Moving {
		text += " " + human.Percent(s.Share)
	}
	return client.CleanLine(text)
}

// longState is the state, with the gateway's own term beside one that nobody knows.
func longState(s *stands) string {
	text := string(s.State)
	if s.Pending {
		text += ", saving the files"
	}
	if s.State == jobs.Unknown && s.RawStatus != "" {
		text += " (" + inks.OneLine(s.RawStatus, 60) + ")"
	}
	return client.CleanLine(text)
}

// madeBy is the model in the fewest words: its version tells what it is, where it has one.
func madeBy(j *jobs.Job) string {
	if j.Draft.ModelName != "" {
		return client.CleanLine(j.Draft.ModelName)
	}
	return client.CleanLine(j.Draft.Model)
}

func modelText(j *jobs.Job) string {
	if j.Draft.ModelName != "" {
		return client.CleanLine(j.Draft.Model + " " + j.Draft.ModelName)
	}
	return client.CleanLine(j.Draft.Model)
}

// shortID is the end of an id, which tells jobs of the same moment apart.
func shortID(id string) string { return client.CleanLine(jobs.ShortID(id)) }

// about names a job as people know it; j is nil for a job that is no longer listed.
func about(id string, j *jobs.Job) string {
	s := "Job " + shortID(id)
	if j != nil {
		s += ", " + modelText(j)
		if p := inks.OneLine(j.Draft.Prompt, 40); p != "" {
			s += ": " + p
		}
	}
	return s
}

// tagsText are a person's tags in words, the star first.
func tagsText(j *jobs.Job) string {
	var all []string
	if j.Starred() {
		all = append(all, starSign)
	}
	for _, t := range j.PlainTags() {
		all = append(all, client.CleanLine(t))
	}
	return strings.Join(all, " ")
}

// savingText is "2 files to come, 3.1 MB of 9.1 MB", as far as it is known; "" for nothing.
func savingText(s jobs.Transfer) string {
	if s.Left == 0 {
		return ""
	}
	text := fmt.Sprintf("%d files to come", s.Left)
	if s.Left == 1 {
		text = "1 file to come"
	}
	switch {
	case s.Total >= 0:
		text += ", " + human.Bytes(s.Done) + " of " + human.Bytes(s.Total)
	case s.Done > 0:
		text += ", " + human.Bytes(s.Done) + " so far"
	}
	return text
}

// labelOf names fields as the form does.
func labelOf(c *catalog.Catalog) func(client.Modality, string) string {
	return func(m client.Modality, field string) string {
		if c != nil {
			if f, ok := c.Field(m, field); ok && f.Label != "" {
				return f.Label
			}
		}
		return strings.ReplaceAll(field, "_", " ")
	}
}
