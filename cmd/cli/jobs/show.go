package jobs

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/cli/kit/follow"
	"darkroom/jobs"
)

func newShow(k *kit.Kit) *cobra.Command {
	var times kit.Choice
	cmd := &cobra.Command{Use: "show JOB", Short: "print everything known about a job: timeline, request, answer", Args: cobra.ExactArgs(1),
		Long: `Prints a job with its timeline, the request as it was sent, and the newest answer as it
came. Nothing is asked of the gateway; ` + "`darkroom inspect`" + ` does that.`,
		Example:           "  darkroom jobs show 3f9a1c22\n  darkroom jobs show video_abc123 -o json",
		ValidArgsFunction: k.CompleteOne(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := times.Check(); err != nil {
				return err
			}
			return k.OfJob(cmd.Context(), args[0], func(r *jobs.Engine, j jobs.Job) error {
				d, err := r.Detail(cmd.Context(), j.ID)
				if err != nil {
					return err
				}
				return printDetail(k, d, follow.ScenesOf(cmd.Context(), k, r).Out(d.Job), times.Clock())
			})
		}}
	times.Times(cmd)
	return cmd
}

// detail is a job as `jobs show` prints it.
type detail struct {
	Job    follow.JobOut `json:"job"`
	Events []jobs.Event  `json:"events"`
	// Exchanges are the requests that are kept, oldest first.
	Exchanges []exchangeOut `json:"exchanges,omitempty"`
	Text      string        `json:"text,omitempty"`
	Request   any           `json:"request,omitempty"`
	Answer    any           `json:"answer,omitempty"`
}

func printDetail(k *kit.Kit, d jobs.Detail, out follow.JobOut, clock human.Times) error {
	if !k.Out.Table() {
		return k.Out.One(detail{out, d.Events, exchangeOuts(d.Exchanges), d.Text, kit.Body(d.Request), kit.Body(d.Answer)})
	}
	s := k.IO
	s.Printf("job %s\n", d.Job.ID)
	if err := kit.Fields(s.Out, slices.Insert(factsOf(out, clock), 1, out.Forecast()...)); err != nil {
		return err
	}
	s.Printf("\n")
	if err := follow.Timeline(s, clock, d.Events, d.Exchanges); err != nil {
		return err
	}
	title := "answer in words"
	if d.Job.Draft.Modality == client.Music {
		title = "lyrics"
	}
	s.Words(title, d.Text)
	if len(d.Request) > 0 {
		s.Printf("\nrequest, through %s:\n%s\n", client.CleanLine(d.Job.Format), kit.Pretty(d.Request))
	}
	if len(d.Answer) > 0 {
		s.Printf("\nnewest answer:\n%s\n", kit.Readable(d.Answer))
	}
	return nil
}

func factsOf(out follow.JobOut, clock human.Times) [][2]string {
	j := out.Job
	errText := ""
	if j.Error != nil {
		errText = strings.TrimSpace(j.Error.Code + " " + j.Error.Message)
	}
	took := ""
	if !j.EndedAt.IsZero() && !j.SubmittedAt.IsZero() {
		took = human.Dur(j.EndedAt.Sub(j.SubmittedAt))
	}
	facts := [][2]string{
		{"state", follow.State(j)}, {"error", errText}, {"note", j.Note}, {"paused", follow.HeldText(out.Held)}, {"next", follow.Next(j)},
		{"observed", follow.Observed(j)}, {"tags", strings.Join(j.Tags, " ")}, {"remark", j.Remark},
		{"task", j.TaskID}, {"other ids", strings.Join(j.AltIDs, ", ")},
		{"profile", j.Profile}, {"kind", string(j.Draft.Modality)}, {"model", j.Draft.Model}, {"name", j.Draft.ModelName},
		{"mode", j.Draft.Mode}, {"prompt", j.Draft.Prompt}, {"title", j.Title},
		{"made by", j.Installation}, {"created", clock.Exact(j.CreatedAt)}, {"ended", clock.Exact(j.EndedAt)}, {"took", took},
	}
	for _, f := range j.Draft.LocalFiles() {
		facts = append(facts, [2]string{"sends", f.Field + ": " + kit.ShownRef(f.Ref)})
	}
	for _, text := range j.Warnings {
		facts = append(facts, [2]string{"warning", "⚠ " + text})
	}
	for _, f := range j.Files {
		facts = append(facts, [2]string{"file", follow.FileText(f)})
	}
	return facts
}

// exchangeOut is a request about a job in output for machines.
type exchangeOut struct {
	jobs.Exchange
	Latency   *struct{} `json:"latency,omitempty"`
	LatencyMS int64     `json:"latency_ms"`
}

func exchangeOuts(all []jobs.Exchange) []exchangeOut {
	var out []exchangeOut
	for _, x := range all {
		out = append(out, exchangeOut{Exchange: x, LatencyMS: x.Latency.Milliseconds()})
	}
	return out
}
