package follow

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/config"
	"darkroom/jobs"
	"darkroom/jobs/schedule"
	"darkroom/jobs/standing"
)

// HeldBy is a pause that holds a job up, and the command that ends it.
type HeldBy struct {
	jobs.Hold
	Resume string `json:"resume"`
}

func (h HeldBy) String() string {
	switch h.Kind {
	case jobs.HoldReadOnly:
		return "nothing is sent from here, read-only as this is: without that `" + h.Resume + "` sends it"
	case jobs.HoldFiles:
		return "it names local files of another installation, which is the one to send it: `" + h.Resume + "` sends the files at the same paths here"
	case jobs.HoldAll:
		return "everything is paused: `" + h.Resume + "` lets it go on"
	case jobs.HoldHost:
		return "the host " + h.Host + " is paused: `" + h.Resume + "` lets it go on"
	default:
		return "the job is paused: `" + h.Resume + "` lets it go on"
	}
}

// Reader knows the pauses of all profiles and how long tasks take, see [jobs.Engine.PlanOf].
type Reader interface {
	Pauses(ctx context.Context) ([]jobs.Pause, error)
	PlanOf(*jobs.Job) *schedule.Plan
}

// stand is how a job stands, and the commands that end its pauses.
type stand struct {
	standing.Forecast
	held []HeldBy
}

func standOf(k *kit.Kit, j jobs.Job, own string, scene standing.Scene) stand {
	s := scene.Of(&j, time.Now())
	return stand{s.Forecast, Resumable(k, j, own, s.Holds)}
}

// now is how a job stands according to what a desk's engine has read.
func now(k *kit.Kit, d *app.Desk, j jobs.Job) stand {
	return standOf(k, j, d.Config.Profile.Name, standing.Scene{Flow: d.Engine.Counts().Flow, Host: d.Host(), PlanOf: d.Engine.PlanOf})
}

// HeldNow is what keeps a desk from working on a job, according to what its engine has read.
func HeldNow(k *kit.Kit, d *app.Desk, j jobs.Job) []HeldBy { return now(k, d, j).held }

// Scenes tells how jobs stand, whatever their profile.
type Scenes struct {
	k    *kit.Kit
	own  string // the profile in use
	plan func(*jobs.Job) *schedule.Plan
	of   map[string]standing.Scene // by profile; only profiles with pauses, and a read-only one
}

// ScenesOf reads the pauses. If it cannot, only jobs that are themselves paused count as held:
// the command can do its work all the same.
func ScenesOf(ctx context.Context, k *kit.Kit, r Reader) *Scenes {
	s := &Scenes{k: k, plan: r.PlanOf, of: map[string]standing.Scene{}}
	ownHost, readOnly := "", ""
	if c, err := k.Config(); err == nil {
		s.own, ownHost, readOnly = c.Profile.Name, app.HostOf(c.Profile), c.Profile.ReadOnly
	}
	if readOnly != "" {
		s.of[s.own] = standing.Scene{Flow: jobs.Flow{ReadOnly: readOnly}, Host: ownHost, PlanOf: s.plan}
	}
	all, err := r.Pauses(ctx)
	if err != nil {
		return s
	}
	of := map[string][]jobs.Pause{}
	for _, x := range all {
		of[x.Profile] = append(of[x.Profile], x)
	}
	for profile, list := range of {
		scene := standing.Scene{Flow: jobs.FlowOf(list), PlanOf: s.plan}
		if profile == s.own {
			scene.Host, scene.Flow.ReadOnly = ownHost, readOnly
		} else if scene.Flow.Hosts != "" {
			if c, err := config.Load(config.Request{Paths: k.IO.Paths, Profile: profile, Env: k.IO.Env}); err == nil {
				scene.Host = app.HostOf(c.Profile)
			}
		}
		s.of[profile] = scene
	}
	return s
}

func (s *Scenes) stand(j jobs.Job) stand {
	scene, paused := s.of[j.Profile]
	if !paused {
		scene.PlanOf = s.plan
	}
	return standOf(s.k, j, s.own, scene)
}

// Resumable adds to each pause the command that ends it; own is the profile in use.
func Resumable(k *kit.Kit, j jobs.Job, own string, holds []jobs.Hold) []HeldBy {
	var out []HeldBy
	for _, x := range holds {
		words := []string{"darkroom", "jobs", "resume"}
		switch x.Kind {
		case jobs.HoldAll:
			words = append(words, "--all")
		case jobs.HoldHost:
			words = append(words, "--host", x.Host)
		case jobs.HoldFiles:
			words = append(words, jobs.ShortID(j.ID), "--with-files")
		case jobs.HoldReadOnly:
			words = []string{"darkroom", "poll"}
		default:
			words = append(words, jobs.ShortID(j.ID))
		}
		if k.Profile != "" || own != j.Profile {
			words = append(words, "--profile", j.Profile)
		}
		out = append(out, HeldBy{x, strings.Join(words, " ")})
	}
	return out
}

// HeldText says what holds a job up and what to do about it; "" for nothing.
func HeldText(held []HeldBy) string {
	var parts []string
	for _, h := range held {
		parts = append(parts, h.String())
	}
	return strings.Join(parts, "; ")
}

// whyHeld is HeldText with the reason for a pause that no person made.
func whyHeld(j jobs.Job, held []HeldBy) string {
	if jobs.Unreached(j) {
		return j.Note + "; " + HeldText(held)
	}
	return HeldText(held)
}

// heldMark is HeldText for a table cell: "paused", "all paused", "HOST paused".
func heldMark(held []HeldBy) string {
	var parts []string
	for _, h := range held {
		switch h.Kind {
		case jobs.HoldAll:
			parts = append(parts, "all paused")
		case jobs.HoldHost:
			parts = append(parts, h.Host+" paused")
		case jobs.HoldFiles:
			parts = append(parts, "files elsewhere")
		case jobs.HoldReadOnly:
			parts = append(parts, "read-only")
		default:
			parts = append(parts, "paused")
		}
	}
	return strings.Join(parts, ", ")
}

// HeldError is the error of a command that a pause kept from what it is for; nil if nothing is
// held.
func HeldError(ctx context.Context, k *kit.Kit, d *app.Desk, what string, all []jobs.Job) error {
	if len(all) == 0 {
		return nil
	}
	var failed []error
	scenes := ScenesOf(ctx, k, d.Engine)
	for _, j := range all {
		if held := scenes.stand(j).held; len(held) > 0 {
			failed = append(failed, fmt.Errorf("job %s %s: %s", jobs.ShortID(j.ID), what, whyHeld(j, held)))
		}
	}
	if len(failed) == 0 {
		return nil
	}
	return kit.Exit(kit.ExitPaused, errors.Join(failed...))
}

// Unsent are the jobs whose create was not sent.
func Unsent(all []jobs.Job) (out []jobs.Job) {
	for _, j := range all {
		if j.State == jobs.Planned {
			out = append(out, j)
		}
	}
	return out
}

// What a pause kept a command from doing, for HeldError.
const (
	WhatUnsent  = "is kept and not sent yet"
	WhatUnasked = "was not asked for"
)
