package chat

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"darkroom/client"
	"darkroom/client/human"
	"darkroom/cmd/app"
	"darkroom/cmd/cli/kit"
)

const (
	// pasteGap is how soon lines follow one another when they are pasted: they form one message
	// then, not one each.
	pasteGap = 40 * time.Millisecond
	// maxLine is how much of one line a terminal passes on, line end included (N_TTY of Linux); it
	// silently cuts a longer one.
	maxLine = 4096
)

// typed is one line of input, or the end of it.
type typed struct {
	line string
	err  error
}

// talker is a conversation on a terminal.
type talker struct {
	o     *options
	c     chatter
	talk  *conversation
	lines <-chan typed
	// ctrlC delivers interrupts. The first one stops the answer being written; a second one without
	// a message in between leaves.
	ctrlC  <-chan os.Signal
	armed  bool
	over   bool            // the input has ended
	done   <-chan struct{} // ends everything, as a hangup does; nil once it is only ctrl+c
	unsent string          // a message without an answer, for /retry
}

// errLeave ends a conversation that was interrupted twice.
var errLeave = kit.Stopped("")

// converse talks on the terminal until the person leaves.
func (o *options) converse(ctx context.Context, gw *app.Gateway, talk *conversation) error {
	ctrlC := make(chan os.Signal, 2)
	signal.Notify(ctrlC, syscall.SIGINT)
	defer signal.Stop(ctrlC)
	over := make(chan struct{})
	defer close(over)
	t := &talker{o: o, c: gw.Client, talk: talk, lines: readLines(o.k.IO.In, over), ctrlC: ctrlC, done: ctx.Done()}
	o.k.IO.Printf("%s\n", client.CleanLine(o.model+" at "+gw.Client.Origin()+". /help lists the commands, ctrl+d leaves."))
	if n := len(talk.messages); talk.file != "" && n > 0 {
		o.k.IO.Printf("%s\n", client.CleanLine("It goes on with "+talk.file+" ("+human.Plural(n, "message")+")."))
	}
	return t.run(ctx)
}

// readLines reads lines until the input ends, or until nobody takes them any more. Of a line that is
// too long it passes the beginning on at once, and drops the rest.
func readLines(r io.Reader, over <-chan struct{}) <-chan typed {
	out := make(chan typed)
	pass := func(x typed) bool {
		select {
		case out <- x:
			return true
		case <-over:
			return false
		}
	}
	go func() {
		in := bufio.NewReaderSize(r, maxLine)
		for {
			line, err := in.ReadSlice('\n')
			if len(line) > 0 && !pass(typed{line: string(line)}) {
				return
			}
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = in.ReadSlice('\n')
			}
			if err != nil {
				pass(typed{err: err})
				return
			}
		}
	}()
	return out
}

func (t *talker) run(ctx context.Context) error {
	for {
		t.say("> ")
		text, err := t.next(ctx)
		switch {
		case errors.Is(err, io.EOF):
			t.say("\n")
			return nil
		case err != nil:
			t.say("\n")
			return err
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		if text, err = t.command(ctx, text); errors.Is(err, io.EOF) {
			return nil
		}
		if text == "" {
			continue
		}
		t.armed = false
		if err := t.answer(ctx, text); err != nil {
			return err
		}
	}
}

func (t *talker) say(text string) { t.o.k.IO.Printf("%s", text) }

func (t *talker) note(text string) { t.o.k.IO.Notef("%s\n", client.CleanLine(text)) }

// next is the next message or command. Lines that follow at once, such as pasted ones, belong to it,
// and so does the line after one that ends with a backslash.
func (t *talker) next(ctx context.Context) (string, error) {
	var text strings.Builder
	var gap <-chan time.Time
	if t.over {
		return "", io.EOF
	}
	for {
		select {
		case in := <-t.lines:
			t.over = in.err != nil
			switch {
			case t.over && text.Len() > 0:
				return t.whole(&text), nil
			case t.over:
				return "", io.EOF
			case len(in.line) >= maxLine:
				t.note("That line is too long or was cut by the terminal, which takes " + human.Plural(maxLine-1, "byte") + " a line, and is not sent: put it into a file and say /file PATH.")
				text.Reset()
				gap = nil
				t.say("> ")
				continue
			}
			text.WriteString(in.line)
			gap = nil
			line := strings.TrimRight(in.line, "\r\n")
			if strings.HasSuffix(line, "\\") {
				continue
			}
			if isCommand(text.String()) {
				return t.whole(&text), nil
			}
			gap = time.After(pasteGap)
		case <-gap:
			return t.whole(&text), nil
		case <-t.ctrlC:
			if t.armed {
				return "", errLeave
			}
			t.armed = true
			text.Reset()
			gap = nil
			t.say("\nctrl+c again leaves, as ctrl+d does\n> ")
		case <-t.done:
			if err := t.ended(ctx); err != nil {
				return "", err
			}
		}
	}
}

// whole is a message without the backslashes that joined its lines.
func (t *talker) whole(b *strings.Builder) string {
	text := strings.ReplaceAll(b.String(), "\r\n", "\n")
	return strings.TrimRight(strings.ReplaceAll(text, "\\\n", "\n"), "\n")
}

// ended says why the context ended: an interrupt is the conversation's own affair.
func (t *talker) ended(ctx context.Context) error {
	var sig kit.Interrupted
	if errors.As(context.Cause(ctx), &sig) && sig.Signal() == syscall.SIGINT {
		t.done = nil // it comes through ctrlC as well
		return nil
	}
	return ctx.Err()
}

// answer sends a message and prints the answer until it is over or stopped.
func (t *talker) answer(ctx context.Context, text string) error {
	asking, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	type result struct {
		a   client.ChatAnswer
		err error
	}
	got := make(chan result, 1)
	all := t.talk.with(client.RoleUser, text)
	go func() {
		a, err := t.o.ask(asking, t.c, all)
		got <- result{a, err}
	}()
	var leave error
	for {
		select {
		case r := <-got:
			t.settle(text, r.a, r.err, r.err != nil && asking.Err() != nil)
			return leave
		case <-t.ctrlC:
			if t.armed {
				leave = errLeave
			}
			t.armed = true
			stop()
		case <-t.done:
			if leave = t.ended(ctx); leave != nil {
				stop()
				t.done = nil
			}
		}
	}
}

// settle keeps what was said. It keeps a partial answer, too: the person saw it, and may refer to it.
// It does not keep a message without any answer, but /retry sends it again.
func (t *talker) settle(text string, a client.ChatAnswer, err error, halted bool) {
	switch {
	case halted && a.Text != "":
		t.note("stopped; the part that came is kept")
	case halted:
		t.note("stopped; nothing had come. /retry sends the message again")
	case err != nil && a.Text != "":
		t.note("the answer was cut: " + err.Error() + ". The part that came is kept")
	case err != nil:
		t.note(err.Error() + ". /retry sends the message again")
	case a.Refusal != "" && a.Text == "":
		t.note("the model refused: " + a.Refusal)
	default:
		t.o.remark(a)
	}
	if a.Text == "" {
		t.unsent = text
		return
	}
	t.unsent = ""
	if err := t.talk.keep(text, a.Text); err != nil {
		t.note(err.Error())
	}
}
