// Package score has a program of the tester's judge what was delivered: it is given the files of a
// trial, and answers with a number.
//
// The program gets one JSON object on its standard input:
//
//	{"file": "/home/ana/Downloads/kite.mp4", "files": ["…"], "kind": "video", "media_type": "video/mp4", "prompt": "a red kite"}
//
// and writes one to its standard output, of which only score is needed:
//
//	{"score": 0.83, "pass": true, "text": "sharp, no flicker"}
//
// The model is not told, so that the program cannot know it. A suite names the program; whoever runs a
// suite of somebody else's must have said that it may be started.
package score

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"syscall"
	"time"

	"darkroom/client"
	"darkroom/client/child"
	"darkroom/client/text"
	"darkroom/jobs/compare"
)

// Bounds of a program's answer, and of how long it may take.
const (
	maxAnswer = 64 << 10
	maxText   = 300
	maxTime   = 5 * time.Minute
)

// Scorer is a program that scores, by the name of its score.
type Scorer struct {
	Name    string
	Command []string // the program and its arguments; no shell reads them
	Dir     string   // where it is started: the folder of the suite
}

type request struct {
	File      string   `json:"file"`
	Files     []string `json:"files"`
	Kind      string   `json:"kind"`
	MediaType string   `json:"media_type,omitempty"`
	Prompt    string   `json:"prompt"`
}

type answer struct {
	Score *float64 `json:"score"`
	Pass  *bool    `json:"pass"`
	Text  string   `json:"text"`
}

// Score has the program judge a trial that completed. Whatever goes wrong is said in the check, which is
// unknown then: a program that fails says nothing about the gateway.
func (s Scorer) Score(ctx context.Context, c *compare.Cell, t *compare.Trial) compare.Check {
	out := compare.Check{Name: s.Name, Verdict: compare.Unknown}
	var paths []string
	mediaType := "" // of the first
	for _, f := range t.Files {
		if !f.Here {
			continue
		}
		if paths = append(paths, f.Path); len(paths) == 1 {
			mediaType = f.MediaType
		}
	}
	if len(paths) == 0 {
		out.Text = "there is no file to score"
		return out
	}
	a, err := s.ask(ctx, request{File: paths[0], Files: paths, Kind: string(c.Draft.Modality), MediaType: mediaType, Prompt: c.Prompt.Text})
	if err != nil {
		out.Text = text.Cap(client.CleanLine("not scored: "+err.Error()), maxText)
		return out
	}
	out.Scored, out.Score, out.Verdict = true, *a.Score, compare.Pass
	if a.Pass != nil && !*a.Pass {
		out.Verdict = compare.Fail
	}
	out.Text = text.Cap(client.CleanLine(a.Text), maxText)
	return out
}

func (s Scorer) ask(ctx context.Context, r request) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	in, err := json.Marshal(r)
	if err != nil {
		return answer{}, err
	}
	var said, complained capped
	cmd := child.Command(ctx, nil, s.Command[0], s.Command[1:]...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = s.Dir, bytes.NewReader(in), &said, &complained
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // with what it has started itself
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 2 * time.Second
	if err := cmd.Run(); err != nil {
		words := strings.TrimSpace(complained.b.String())
		switch {
		case errors.Is(ctx.Err(), context.DeadlineExceeded):
			return answer{}, fmt.Errorf("%s took longer than %s", s.Command[0], maxTime)
		case words != "":
			return answer{}, fmt.Errorf("%s: %w: %s", s.Command[0], err, words)
		}
		return answer{}, fmt.Errorf("%s: %w", s.Command[0], err)
	}
	return read(said.b.Bytes())
}

// read takes a program's answer apart.
func read(b []byte) (answer, error) {
	var a answer
	dec := json.NewDecoder(bytes.NewReader(b))
	if err := dec.Decode(&a); err != nil {
		return answer{}, fmt.Errorf(`its answer is no JSON object such as {"score": 0.83}: %w`, err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return answer{}, errors.New("more follows its answer: it may be one JSON object")
	}
	if a.Score == nil || math.IsNaN(*a.Score) || math.IsInf(*a.Score, 0) {
		return answer{}, errors.New(`its answer has no number "score"`)
	}
	return a, nil
}

// capped keeps the beginning of what is written, so that a program cannot fill the memory.
// The buffer is no part of its methods: [io.Copy] would fill it by its ReadFrom, past the bound.
type capped struct{ b bytes.Buffer }

func (c *capped) Write(p []byte) (int, error) {
	if room := maxAnswer - c.b.Len(); room > 0 {
		c.b.Write(p[:min(len(p), room)])
	}
	return len(p), nil
}
