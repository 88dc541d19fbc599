package cli

import (
	"context"
	"time"

	"darkroom/jobs"
	"darkroom/tui/widgets/format"
)

// printJobs prints jobs; one alone, where one was asked for, is no array.
func printJobs(ctx context.Context, k *globals, p planner, all []jobs.Job, single bool) error {
	outs := jobOuts(ctx, k, p, all)
	if !k.out.table() {
		if single && len(outs) == 1 {
			return k.out.one(outs[0])
		}
		return list(k.out, outs)
	}
	if len(all) == 0 {
		k.io.note("no jobs\n")
		return nil
	}
	var cells [][]string
	for _, o := range outs {
		j, state := o.Job, keptState(o.Job)+o.forecast.mark()
		if mark := heldMark(o.Held); mark != "" {
			state += ", " + mark
		}
		cells = append(cells, []string{shortID(j.ID), string(j.Draft.Modality), j.Draft.Model, state, format.Age(time.Since(j.CreatedAt)), taskOf(j), marksOf(j) + titled(j) + firstLine(j.Draft.Prompt, 40)})
		for _, f := range j.Files {
			if f.State == jobs.FileSaved {
				cells = append(cells, []string{"", "", "", "", "", f.Path, format.Bytes(f.Bytes)})
			}
		}
	}
	return rows(k.io.Out, []string{"JOB", "KIND", "MODEL", "STATE", "AGE", "TASK / FILE", "PROMPT"}, cells)
}

// titled is the title that a song was given, before its prompt.
func titled(j jobs.Job) string {
	if j.Title == "" {
		return ""
	}
	return "“" + firstLine(j.Title, 40) + "” "
}

func taskOf(j jobs.Job) string {
	if j.TaskID != "" {
		return j.TaskID
	}
	return "-"
}

// marksOf stand before the prompt of a job: that it is starred, and that there are warnings.
func marksOf(j jobs.Job) string {
	marks := ""
	if j.Starred() {
		marks += "★ "
	}
	if len(j.Warnings) > 0 {
		marks += "⚠ "
	}
	return marks
}

// fileText is where a file is, or why it is not there.
func fileText(f jobs.File) string {
	text := ""
	switch f.State {
	case jobs.FileSaved:
		if f.Elsewhere {
			return f.Path + "  (saved by another installation)"
		}
		return f.Path + "  " + format.Bytes(f.Bytes)
	case jobs.FileFetching:
		text = string(f.Kind) + ": on its way, " + format.Bytes(f.Bytes)
	case jobs.FileFailed:
		text = string(f.Kind) + ": not saved"
	default:
		text = string(f.Kind) + ": not saved yet"
	}
	if f.Error != "" {
		text += ": " + f.Error
	}
	return text
}
