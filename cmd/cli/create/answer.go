package create

import (
	"context"
	"net/http"

	"darkroom/client"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/cli/kit/follow"
	"darkroom/jobs"
)

// answered is a job with the text that it was answered.
type answered struct {
	follow.JobOut
	Text string `json:"text"`
}

// printAnswers prints what a chat model said: the text alone for people, else the jobs with
// it. Jobs without an answer are printed as jobs.
func (o *options) printAnswers(ctx context.Context, desk *app.Desk, all []jobs.Job) error {
	k := o.k
	out := make([]answered, 0, len(all))
	var silent []jobs.Job
	scenes := follow.ScenesOf(ctx, k, desk.Engine)
	for _, j := range all {
		text, err := answerText(ctx, desk, j)
		if err != nil {
			return err
		}
		if text == "" {
			silent = append(silent, j)
		}
		out = append(out, answered{scenes.Out(j), text})
	}
	switch {
	case !k.Out.Table() && len(out) == 1 && !o.many.many():
		return k.Out.One(out[0])
	case !k.Out.Table():
		return kit.List(k.Out, out)
	}
	for i, a := range out {
		if a.Text == "" {
			continue
		}
		if i > 0 {
			k.IO.Printf("\n")
		}
		k.IO.Printf("%s\n", client.Clean(a.Text))
	}
	if len(silent) == 0 {
		return nil
	}
	return follow.Print(ctx, k, desk.Engine, silent, len(silent) == 1)
}

// answerText reads the text out of the kept answer to a create; "" where there is none.
func answerText(ctx context.Context, desk *app.Desk, j jobs.Job) (string, error) {
	if j.State != jobs.Completed {
		return "", nil
	}
	d, err := desk.Engine.Detail(ctx, j.ID)
	if err != nil {
		return "", err
	}
	f, ok := desk.Client.Format(j.Format)
	if !ok || len(d.Answer) == 0 {
		return "", nil
	}
	t, err := f.DecodeCreate(client.Response{StatusCode: http.StatusOK, Body: d.Answer})
	if err != nil {
		return "", nil //nolint:nilerr // it was understood when it came: what is kept of it is less
	}
	return t.Text, nil
}
