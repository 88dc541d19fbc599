package create

import (
	"context"
	"errors"
	"net/http"

	"darkroom/client"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/cli/kit/follow"
	"darkroom/jobs"
)

// sender journals jobs, sends each once, follows them as far as requested, and prints what came of
// them.
type sender struct {
	k        *kit.Kit
	wait     bool
	download string // folder, "" for the settings'
	answers  bool   // print the texts that came, not the jobs
	single   bool   // one job was asked for
}

func (s *sender) send(ctx context.Context, gw *app.Gateway, subs []jobs.Submission) error {
	desk, err := s.k.OpenDesk(ctx, gw, app.DeskOptions{Downloads: s.download, AutoDownload: s.download != "" || gw.Config.AutoDownload, OwnOnly: true})
	if err != nil {
		return err
	}
	err = s.follow(ctx, desk, subs)
	return errors.Join(err, desk.Close())
}

func (s *sender) follow(ctx context.Context, desk *app.Desk, subs []jobs.Submission) error {
	ids, err := desk.Engine.Submit(ctx, subs)
	if err != nil {
		return err
	}
	all, err := follow.Watch(ctx, s.k, desk, ids, s.wait || s.download != "")
	if err == nil {
		err = s.saved(ctx, desk, all)
	}
	if err != nil {
		return err
	}
	follow.Warnings(s.k, all)
	if s.answers {
		err = s.printAnswers(ctx, desk, all)
	} else {
		err = follow.Print(ctx, s.k, desk.Engine, all, s.single)
	}
	if err != nil {
		return err
	}
	return errors.Join(follow.Outcome(ctx, desk.Engine, all, s.download != ""), follow.HeldError(ctx, s.k, desk, follow.WhatUnsent, follow.Unsent(all)))
}

// saved waits for the files of results that came as the answer: they are not left at the gateway.
func (s *sender) saved(ctx context.Context, desk *app.Desk, all []jobs.Job) error {
	var ids []string
	at := map[string]int{}
	for i, j := range all {
		if jobs.TransferOf(j.Files).Left > 0 {
			ids = append(ids, j.ID)
			at[j.ID] = i
		}
	}
	if len(ids) == 0 {
		return nil
	}
	ended, err := follow.Watch(ctx, s.k, desk, ids, true)
	for _, j := range ended {
		if i, ok := at[j.ID]; ok {
			all[i] = j
		}
	}
	return err
}

// answered is a job with the text of its answer.
type answered struct {
	follow.JobOut
	Text string `json:"text"`
}

// printAnswers prints what a chat model said: for people only the text, else the jobs with it. Jobs
// without an answer are printed as jobs.
func (s *sender) printAnswers(ctx context.Context, desk *app.Desk, all []jobs.Job) error {
	k := s.k
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
	case !k.Out.Table() && len(out) == 1 && s.single:
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

// answerText is the text of the stored answer to a create; "" if there is none.
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
