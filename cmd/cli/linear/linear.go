// Package linear is the console as lines, for screen readers and for terminals that can do nothing else.
// It asks and tells, one line after the other: no boxes, nothing is drawn again, and what happens to a job
// is a line of its own. Whatever is not made of questions is the command of the same name.
package linear

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/client/shell"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/cli/kit/follow"
	"darkroom/cmd/library"
	"darkroom/jobs"
)

// Run runs one command line of the program; it returns the exit code.
type Run func(ctx context.Context, s *kit.IO, args []string) int

// errLeave is the end of the questions that are being asked.
var errLeave = errors.New("left")

// session is one console.
type session struct {
	k      *kit.Kit
	run    Run
	desk   *app.Desk
	drafts library.Drafts
	in     *lines
	news   news
	listed listing
	named  string // the profile, as the flag says it
}

// Open asks and tells until the person leaves, or the input ends.
func Open(ctx context.Context, k *kit.Kit, run Run) error {
	c, err := k.Config()
	if err != nil {
		return err
	}
	d, done, err := k.Desk(ctx, app.DeskOptions{AutoDownload: c.AutoDownload, Upkeep: true, Tell: k.IO.Tell, Stake: k.IO.Tell, Slow: k.IO.Slow})
	if err != nil {
		return err
	}
	defer done()
	s := &session{k: k, run: run, desk: d, drafts: library.OpenDrafts(c.Paths.Drafts, c.Profile.Name), in: newLines(k.IO.In), named: k.Profile}
	s.news.begin(d.Engine)
	s.say("Darkroom %s, profile %s. %s", k.Version, c.Profile.Name, underWay(d.Engine.Counts().Running+d.Engine.Counts().Queued))
	s.say("Type new to make something, jobs to hear what there is, help for the rest, quit to leave.")
	err = s.loop(ctx)
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func underWay(n int) string {
	if n == 0 {
		return "No job is under way."
	}
	return human.Plural(n, "job") + " under way."
}

// say prints a line. What comes from elsewhere is cleaned.
func (s *session) say(format string, args ...any) {
	s.k.IO.Printf("%s\n", client.CleanLine(fmt.Sprintf(format, args...)))
}

// loop takes commands until the end.
func (s *session) loop(ctx context.Context) error {
	for {
		typed, err := s.prompt(ctx, "> ")
		switch {
		case errors.Is(err, errLong):
			s.say("%v: type less", err)
			continue
		case err != nil:
			return err
		}
		words, whole := shell.Words(typed)
		switch {
		case !whole:
			s.say("A quotation mark has no end: close it, or put a backslash in front of it.")
			continue
		case len(words) == 0:
			continue
		case slices.Contains([]string{"quit", "exit", "q"}, words[0]):
			return nil
		}
		if err := s.do(ctx, words); err != nil && !errors.Is(err, errLeave) {
			if ctx.Err() != nil || errors.Is(err, io.EOF) {
				return err
			}
			_, text := kit.Verdict(ctx, err)
			s.say("%s", text)
		}
	}
}

// prompt waits for a line at the command prompt. What happens meanwhile is told at once, below what is
// being typed, which stays.
func (s *session) prompt(ctx context.Context, mark string) (string, error) {
	s.tell()
	s.k.IO.Printf("%s", mark)
	return s.read(ctx, s.desk.Engine.Dirty(), func() {
		if all := s.news.since(s.desk.Engine); len(all) > 0 {
			s.k.IO.Printf("\n")
			s.print(all)
			s.k.IO.Printf("%s", mark)
		}
	})
}

// read waits for a line. A terminal shows what is typed and its end; where nothing does, the line ends here.
func (s *session) read(ctx context.Context, wake <-chan struct{}, told func()) (string, error) {
	typed, err := s.in.next(ctx, wake, told)
	if s.k.IO.TtyIn == nil {
		s.k.IO.Printf("\n")
	}
	return typed, err
}

// tell prints what has happened.
func (s *session) tell() { s.print(s.news.since(s.desk.Engine)) }

func (s *session) print(all []string) {
	for _, text := range all {
		s.say("%s", text)
	}
}

// ask asks one question; news waits until it is answered.
func (s *session) ask(ctx context.Context, question string) (string, error) {
	s.k.IO.Printf("%s ", client.CleanLine(question))
	typed, err := s.read(ctx, nil, nil)
	if errors.Is(err, errLong) {
		s.say("%v: nothing was taken", err)
		return s.ask(ctx, question)
	}
	return strings.TrimSpace(typed), err
}

// command is a word of this console. All other words are commands of the program.
type command struct {
	words, help string
	do          func(s *session, ctx context.Context, args []string) error
}

func commands() []command {
	return []command{
		{"new", "make a video, an image, music, speech or a chat answer: it asks for what is needed", (*session).compose},
		{"jobs", "the newest jobs; words after it choose, as jobs state:failed", (*session).jobs},
		{"more", "the next ones", (*session).more},
		{"show", "all about a job, by its number in the list or by its id", verb("jobs", "show")},
		{"again", "begin with what a job was made with, and change what you like", (*session).again},
		{"open", "play or show the result", verb("jobs", "open")},
		{"star", "keep a job in mind; unstar takes that back", each(func(s *session, ctx context.Context, id string) (string, error) {
			return "starred", s.desk.Engine.Tag(ctx, id, []string{jobs.Star}, nil)
		})},
		{"unstar", "", each(func(s *session, ctx context.Context, id string) (string, error) {
			return "no longer starred", s.desk.Engine.Tag(ctx, id, nil, []string{jobs.Star})
		})},
		{"reject", "throw a result away, with its files", verb("jobs", "reject")},
		{"drop", "stop following a job", each(func(s *session, ctx context.Context, id string) (string, error) {
			return "dropped", s.desk.Engine.Drop(ctx, id)
		})},
		{"download", "save the results of a job", verb("jobs", "download")},
		{"resend", "send a job again whose create may not have arrived", verb("jobs", "resend")},
		{"inspect", "what happened to a task, by its number in the list or by any id", verb("inspect")},
		{"compare", "models side by side: it asks for what is needed. compare list, show, run, resume and others are the commands", (*session).compare},
		{"wait", "tell what happens until no job is under way", (*session).wait},
		{"quit", "leave; jobs go on at the gateway, and are followed again next time", nil},
	}
}

// do carries out a command.
func (s *session) do(ctx context.Context, words []string) error {
	switch words[0] {
	case "help":
		if len(words) == 1 {
			return s.help()
		}
	case "jobs":
		if len(words) > 1 && slices.Contains([]string{"list", "show", "watch", "prune", "export", "pause", "pauses", "resume", "tag", "remark", "views", "chain", "bodies", "adopt", "repoll", "request", "pulse"}, words[1]) {
			return s.pass(ctx, words)
		}
	}
	for _, c := range commands() {
		if c.words == words[0] && c.do != nil {
			return c.do(s, ctx, words[1:])
		}
	}
	return s.pass(ctx, words)
}

func (s *session) help() error {
	for _, c := range commands() {
		if c.help != "" {
			s.say("%s: %s.", c.words, c.help)
		}
	}
	s.say("At a question, enter keeps what is there, - empties it, ? explains, < goes back, and a dot leaves with what you have.")
	s.say("All commands of darkroom work here without their first word, as models list, or jobs export --help.")
	return nil
}

// each is a command that is done to jobs here, so that the next list shows it. do says what came of it.
func each(do func(s *session, ctx context.Context, id string) (string, error)) func(*session, context.Context, []string) error {
	return func(s *session, ctx context.Context, args []string) error {
		if len(args) == 0 {
			return kit.Usage("which job? A number of the list, or an id")
		}
		words, err := s.listed.ids(args)
		if err != nil {
			return err
		}
		all, err := kit.FindOwn(ctx, s.desk, words)
		if err != nil {
			return err
		}
		for i := range all {
			text, err := do(s, ctx, all[i].ID)
			if err != nil {
				return err
			}
			s.say("%s: %s, %s.", jobs.ShortID(all[i].ID), text, called(&all[i]))
		}
		return nil
	}
}

// verb is a command of the program that takes jobs, which may be numbers of the list.
func verb(prefix ...string) func(*session, context.Context, []string) error {
	return func(s *session, ctx context.Context, args []string) error {
		if len(args) == 0 {
			return kit.Usage("%s: which job? A number of the list, or an id", prefix[len(prefix)-1])
		}
		all, err := s.listed.ids(args)
		if err != nil {
			return err
		}
		return s.pass(ctx, slices.Concat(prefix, all))
	}
}

// pass has the program's own command do it, with this console's profile. Nothing of it is drawn.
func (s *session) pass(ctx context.Context, words []string) error {
	world := *s.k.IO
	world.In, world.Tty, world.TtyErr = s.in, nil, nil
	if s.named != "" {
		words = append([]string{"--profile", s.named}, words...)
	}
	s.run(ctx, &world, words) // it says itself what went wrong
	return ctx.Err()
}

// wait tells what happens until nothing is under way any more.
func (s *session) wait(ctx context.Context, _ []string) error {
	for {
		s.tell()
		if c := s.desk.Engine.Counts(); c.Running+c.Queued == 0 && !s.news.awaits() {
			s.say("No job is under way.")
			return nil
		}
		select {
		case <-s.desk.Engine.Dirty():
		case <-s.desk.Ended():
			return follow.Ended(s.desk)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// number reads a number of a list of n.
func number(word string, n int) (int, bool) {
	i, err := strconv.Atoi(strings.TrimPrefix(word, "#"))
	return i - 1, err == nil && i >= 1 && i <= n
}
