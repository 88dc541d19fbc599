package chat

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/client"
	"darkroom/cmd/cli/kit"
)

// parrot answers with a function, on the goroutine that asks.
type parrot struct {
	mu    sync.Mutex
	asked [][]client.ChatMessage
	say   func(ctx context.Context, n int, on func(string)) (client.ChatAnswer, error)
}

func (p *parrot) Chat(ctx context.Context, r client.ChatRequest, on func(string)) (client.ChatAnswer, error) {
	p.mu.Lock()
	p.asked = append(p.asked, r.Messages)
	n := len(p.asked)
	p.mu.Unlock()
	if on == nil {
		on = func(string) {}
	}
	return p.say(ctx, n, on)
}

func echo(_ context.Context, _ int, on func(string)) (client.ChatAnswer, error) {
	on("fine")
	return client.ChatAnswer{Text: "fine", Finish: "stop"}, nil
}

// scene is a conversation in a bubble: what is typed arrives when the talker waits for it.
type scene struct {
	t      *testing.T
	lines  chan typed
	ctrlC  chan os.Signal
	out    *stage
	err    *stage
	parrot *parrot
	talk   *conversation
	cancel context.CancelCauseFunc
	result chan error
}

// stage is an output that may be read while it is written.
type stage struct {
	mu sync.Mutex
	b  strings.Builder
}

func (s *stage) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *stage) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func openTalk(t *testing.T, say func(context.Context, int, func(string)) (client.ChatAnswer, error)) *scene {
	t.Helper()
	c := &scene{t: t, lines: make(chan typed), ctrlC: make(chan os.Signal, 2), out: &stage{}, err: &stage{},
		parrot: &parrot{say: say}, talk: &conversation{}, result: make(chan error, 1)}
	s := &kit.IO{Out: c.out, Err: c.err, Tty: os.Stdout}
	ctx, cancel := context.WithCancelCause(context.Background())
	c.cancel = cancel
	talker := &talker{o: &options{k: kit.New(s, "test"), model: "m"}, c: c.parrot, talk: c.talk,
		lines: c.lines, ctrlC: c.ctrlC, done: ctx.Done()}
	go func() { c.result <- talker.run(ctx) }()
	return c
}

// types enters lines, each once all that came before is done.
func (c *scene) types(lines ...string) {
	for _, l := range lines {
		c.lines <- typed{line: l + "\n"}
		synctest.Wait()
		if gap := strings.TrimRight(l, "\n"); !isCommand(gap) {
			c.rest()
		}
	}
}

// rest lets the time pass that tells a typed line from a pasted one.
func (c *scene) rest() {
	<-time.After(2 * pasteGap)
	synctest.Wait()
}

func (c *scene) interrupts() {
	c.ctrlC <- syscall.SIGINT
	synctest.Wait()
}

func (c *scene) ends() error {
	synctest.Wait()
	select {
	case err := <-c.result:
		return err
	default:
		c.t.Fatalf("it goes on\n%s", c.out.text())
		return nil
	}
}

func TestTalkKeepsTheMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := openTalk(t, echo)
		c.talk.file = filepath.Join(t.TempDir(), "talk.json")
		c.types("one", "two", "", "//etc is a folder")
		require.Len(t, c.parrot.asked, 3, "an empty line is nothing")
		require.Equal(t, []client.ChatMessage{{Role: "user", Content: "one"}, {Role: "assistant", Content: "fine"}, {Role: "user", Content: "two"}}, c.parrot.asked[1])
		require.Equal(t, "/etc is a folder", c.talk.messages[4].Content)
		kept, err := readConversation(c.talk.file)
		require.NoError(t, err)
		require.Equal(t, c.talk.messages, kept.messages, "written after each answer")
		c.types("/exit")
		require.NoError(t, c.ends())
		require.Equal(t, "> fine\n> fine\n> > fine\n> ", c.out.text())
	})
}

func TestTalkCommands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := openTalk(t, echo)
		notes := file(t, "notes.txt", "from a file\n")
		mine := file(t, "mine.txt", "not a conversation")
		saved := filepath.Join(t.TempDir(), "saved.json")
		c.types("/help", "/system", "/system be\x1b brief", "/system", "one", "/save "+saved, "/save "+mine, "/save", "/file "+notes, "/file "+mine+"x", "/retry", "/nope", "/clear", "two", "/system -", "three")
		out, said := c.out.text(), c.err.text()
		for _, x := range words() {
			require.Contains(t, out, x.name)
			require.Contains(t, out, x.help)
		}
		require.Contains(t, out, "there is no system message")
		require.Contains(t, out, "system: be␛ brief")
		require.Contains(t, out, "3 messages saved to")
		require.Contains(t, said, "holds no conversation")
		require.Contains(t, said, "no command /nope")
		require.Contains(t, said, "no message without an answer")
		b, err := os.ReadFile(mine)
		require.NoError(t, err)
		require.Equal(t, "not a conversation", string(b))
		asked := c.parrot.asked
		require.Len(t, asked, 4)
		require.Equal(t, "from a file", asked[1][3].Content)
		require.Equal(t, []client.ChatMessage{{Role: "system", Content: "be\x1b brief"}, {Role: "user", Content: "two"}}, asked[2], "the system message stays")
		require.Equal(t, "user", asked[3][0].Role, "and goes when told so")
		c.lines <- typed{err: io.EOF}
		require.NoError(t, c.ends(), "ctrl+d leaves")
	})
}

func TestTalkIsStoppedByCtrlC(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := openTalk(t, func(ctx context.Context, n int, on func(string)) (client.ChatAnswer, error) {
			if n != 2 {
				on("half")
			}
			<-ctx.Done()
			text := "half"
			if n == 2 {
				text = ""
			}
			return client.ChatAnswer{Text: text}, ctx.Err()
		})
		c.types("one")
		c.interrupts()
		require.Contains(t, c.err.text(), "the part that came is kept")
		require.Len(t, c.talk.messages, 2)
		c.types("two")
		c.interrupts()
		require.Contains(t, c.err.text(), "/retry sends the message again")
		require.Len(t, c.talk.messages, 2, "what got no answer is not kept")
		c.types("/retry") // a message: it takes away the first ctrl+c
		require.Equal(t, "two", c.parrot.asked[2][2].Content)
		c.interrupts()
		c.interrupts()
		err := c.ends()
		code, text := kit.Verdict(context.Background(), err)
		require.Equal(t, kit.ExitCancelled, code)
		require.Empty(t, text)
	})
}

func TestTalkIdleCtrlC(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := openTalk(t, echo)
		c.cancel(kit.Interrupted(syscall.SIGINT)) // the process hears of it too
		c.interrupts()
		require.Contains(t, c.out.text(), "ctrl+c again leaves")
		c.types("still here")
		require.Len(t, c.parrot.asked, 1)
		c.interrupts()
		c.interrupts()
		require.ErrorIs(t, c.ends(), context.Canceled)
	})
}

func TestTalkEndsByASignal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := openTalk(t, func(ctx context.Context, _ int, on func(string)) (client.ChatAnswer, error) {
			on("half")
			<-ctx.Done()
			return client.ChatAnswer{Text: "half"}, ctx.Err()
		})
		c.types("one")
		c.cancel(kit.Interrupted(syscall.SIGTERM))
		require.ErrorIs(t, c.ends(), context.Canceled)
		require.Len(t, c.talk.messages, 2, "what came is kept")
	})
}

func TestTalkJoinsPastedLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := openTalk(t, echo)
		for _, l := range []string{"line 1\r\n", "/line 2\n", "line 3\n"} {
			c.lines <- typed{line: l}
		}
		c.rest()
		require.Equal(t, "line 1\n/line 2\nline 3", c.parrot.asked[0][0].Content)
		c.lines <- typed{line: "first \\\n"}
		c.rest()
		require.Len(t, c.parrot.asked, 1, "a backslash waits for the next line")
		c.types("second")
		require.Equal(t, "first \nsecond", c.parrot.asked[1][2].Content)
		c.types(strings.Repeat("x", maxLine))
		require.Len(t, c.parrot.asked, 2)
		require.Contains(t, c.err.text(), "cut by the terminal")
		c.lines <- typed{line: "last words"}
		c.lines <- typed{err: io.EOF}
		synctest.Wait()
		require.Len(t, c.parrot.asked, 3)
		require.NoError(t, c.ends())
	})
}

func TestTalkTellsFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := openTalk(t, func(_ context.Context, n int, on func(string)) (client.ChatAnswer, error) {
			switch n {
			case 1:
				on("half\x1b")
				return client.ChatAnswer{Text: "half\x1b"}, errors.New("it broke \x1b off")
			case 2:
				return client.ChatAnswer{Refusal: "no\u202e"}, nil
			default:
				return client.ChatAnswer{}, &client.APIError{HTTPStatus: 429, Code: "busy"}
			}
		})
		c.types("one", "two", "three", "/exit")
		require.NoError(t, c.ends())
		for _, s := range []string{"the answer was cut: it broke ␛ off", "the model refused: no<U+202E>", "busy"} {
			require.Contains(t, c.err.text(), s)
		}
		require.Contains(t, c.out.text(), "half␛\n")
		require.Equal(t, client.Clean(c.out.text()+c.err.text()), c.out.text()+c.err.text())
		require.Len(t, c.talk.messages, 2)
	})
}

func TestReadLines(t *testing.T) {
	over := make(chan struct{})
	lines := readLines(strings.NewReader("a\nb"), over)
	require.Equal(t, typed{line: "a\n"}, <-lines)
	require.Equal(t, typed{line: "b"}, <-lines)
	require.Equal(t, typed{err: io.EOF}, <-lines)
	close(over)
}

// TestALineThatNeverEndsIsNotHeld: its beginning is passed on, at once, and what follows it is read.
func TestALineThatNeverEndsIsNotHeld(t *testing.T) {
	over := make(chan struct{})
	defer close(over)
	r, w := io.Pipe()
	lines := readLines(r, over)
	long := strings.Repeat("x", 16*maxLine)
	go func() { _, _ = io.WriteString(w, long) }() // as far as it is read
	require.Len(t, (<-lines).line, maxLine, "before its end has come")
	go func() {
		_, _ = io.WriteString(w, "\nb\n")
		_ = w.Close()
	}()
	require.Equal(t, typed{line: "b\n"}, <-lines)
	require.Equal(t, typed{err: io.EOF}, <-lines)
}

func file(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}
