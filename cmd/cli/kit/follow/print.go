package follow

import (
	"context"
	"time"

	"darkroom/client/human"
	"darkroom/cmd/cli/kit"
	"darkroom/jobs"
)

// Print prints jobs; a single job, if one was asked for, is not in an array.
func Print(ctx context.Context, k *kit.Kit, r Reader, all []jobs.Job, single bool) error {
	outs := JobOuts(ctx, k, r, all)
	if !k.Out.Table() {
		if single && len(outs) == 1 {
			return k.Out.One(outs[0])
		}
		return kit.List(k.Out, outs)
	}
	if len(all) == 0 {
		k.IO.Notef("no jobs\n")
		return nil
	}
	var cells [][]string
	for _, o := range outs {
		j, state := o.Job, State(o.Job)+mark(o.stand.Forecast)
		if mark := heldMark(o.Held); mark != "" {
			state += ", " + mark
		}
		cells = append(cells, []string{jobs.ShortID(j.ID), string(j.Draft.Modality), j.Draft.Model, state, human.Age(time.Since(j.CreatedAt)), taskOf(j), marksOf(j) + titled(j) + kit.FirstLine(j.Label(), 40)})
		for _, f := range j.Files {
			if f.State == jobs.FileSaved {
				cells = append(cells, []string{"", "", "", "", "", f.Path, human.Bytes(f.Bytes)})
			}
		}
	}
	return kit.Rows(k.IO.Out, []string{"JOB", "KIND", "MODEL", "STATE", "AGE", "TASK / FILE", "PROMPT"}, cells)
}

// titled is the title given to a song, before its prompt, which it may repeat.
func titled(j jobs.Job) string {
	if j.Title == "" || j.Title == j.Label() {
		return ""
	}
	return "“" + kit.FirstLine(j.Title, 40) + "” "
}

func taskOf(j jobs.Job) string {
	if j.TaskID != "" {
		return j.TaskID
	}
	return "-"
}

// marksOf are the marks before a job's prompt: starred, and with warnings.
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

// FileText says where a file is, or why it is not there.
func FileText(f jobs.File) string {
	text := ""
	switch f.State {
	case jobs.FileSaved:
		if f.Elsewhere {
			return f.Path + "  (saved by another installation)"
		}
		return f.Path + "  " + human.Bytes(f.Bytes)
	case jobs.FileFetching:
		text = string(f.Kind) + ": on its way, " + human.Bytes(f.Bytes)
	case jobs.FileFailed:
		text = string(f.Kind) + ": not saved"
	case jobs.FileRemoved:
		text = string(f.Kind) + ": removed, since the job was rejected"
	default:
		text = string(f.Kind) + ": not saved yet"
	}
	if f.Error != "" {
		text += ": " + f.Error
	}
	return text
}
