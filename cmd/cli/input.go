package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"darkroom/client"
)

// stdinWord stands for standard input where a file can be named.
const stdinWord = "-"

// openNamed opens a file that a person named. What says where, as "--body"; "" when the name
// says enough.
func openNamed(what, file string) (*os.File, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fileError(what, file, err)
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		_ = f.Close()
		return nil, fileError(what, file, errors.New("it is a folder, and a file is needed"))
	}
	return f, nil
}

// readNamed reads a file that a person named, or standard input, and refuses one of more than
// limit bytes. A pipe that says nothing, under whatever name, does not outlast ctx.
func (s *IO) readNamed(ctx context.Context, what, file string, limit int64) ([]byte, error) {
	return await(ctx, func() ([]byte, error) {
		if file == stdinWord {
			return readLimited(s.In, shownFile(what, file), limit)
		}
		return readFileNamed(what, file, limit)
	})
}

// readFileNamed is readNamed for a file alone.
func readFileNamed(what, file string, limit int64) ([]byte, error) {
	f, err := openNamed(what, file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return readLimited(f, shownFile(what, file), limit)
}

func readLimited(in io.Reader, shown string, limit int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(in, limit+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", shown, err)
	}
	if int64(len(b)) > limit {
		return nil, usage("%s: it has more than %s", shown, wholeBytes(limit))
	}
	return b, nil
}

// wholeBytes writes a limit as it is meant, which is in whole units.
func wholeBytes(n int64) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d KiB", n>>10)
}

// shownFile names a file in a sentence.
func shownFile(what, file string) string {
	if file == stdinWord {
		file = "standard input"
	}
	return strings.TrimSpace(what + " " + client.CleanLine(file))
}

// fileError is the one rule for a file that was named and can not be had: one that is not
// there is not found, any other was named wrongly.
func fileError(what, file string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return notFound("%s: %w", shownFile(what, file), syscall.ENOENT)
	}
	if bad, ok := errors.AsType[*fs.PathError](err); ok {
		err = bad.Err
	}
	return usage("%s: %w", shownFile(what, file), err)
}

// maxAnswer bounds what is read of an answer, in bytes.
const maxAnswer = 4 << 10

// ask asks a question on the terminal; nothing but a clear yes is one.
func (s *IO) ask(ctx context.Context, question string) (bool, error) {
	s.note("%s [y/N] ", question)
	line, err := await(ctx, func() (string, error) { return bufio.NewReader(io.LimitReader(s.In, maxAnswer)).ReadString('\n') })
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes", nil
}

// confirm asks a person; without one it refuses.
func (s *IO) confirm(ctx context.Context, question string) (bool, error) {
	if s.TtyIn == nil {
		return false, usage("there is no terminal to ask on: --yes removes, --dry-run only counts")
	}
	return s.ask(ctx, question)
}
