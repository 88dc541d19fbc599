package kit

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

// Stdin stands for standard input where a file can be named.
const Stdin = "-"

// OpenNamed opens a file that a person named. what says where it was named, such as "--body"; ""
// if the file's name says enough.
func OpenNamed(what, file string) (*os.File, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, FileError(what, file, err)
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		_ = f.Close()
		return nil, FileError(what, file, errors.New("it is a folder, and a file is needed"))
	}
	return f, nil
}

// Read reads a file that a person named, or standard input, and refuses more than limit bytes. It
// returns when ctx ends, even from a silent pipe, whatever the pipe's name.
func (s *IO) Read(ctx context.Context, what, file string, limit int64) ([]byte, error) {
	return Await(ctx, func() ([]byte, error) {
		if file == Stdin {
			return readLimited(s.In, ShownFile(what, file), limit)
		}
		return ReadFileNamed(what, file, limit)
	})
}

// ReadFileNamed is Read for files only.
func ReadFileNamed(what, file string, limit int64) ([]byte, error) {
	f, err := OpenNamed(what, file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return readLimited(f, ShownFile(what, file), limit)
}

func readLimited(in io.Reader, shown string, limit int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(in, limit+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", shown, err)
	}
	if int64(len(b)) > limit {
		return nil, Usage("%s: it has more than %s", shown, WholeBytes(limit))
	}
	return b, nil
}

// WholeBytes writes a limit in the whole units that it was meant in.
func WholeBytes(n int64) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d KiB", n>>10)
}

// ShownFile names a file within a sentence.
func ShownFile(what, file string) string {
	if file == Stdin {
		file = "standard input"
	}
	return strings.TrimSpace(what + " " + client.CleanLine(file))
}

// FileError is the one rule for a named file that cannot be had: a missing file is not found, any
// other failure is a usage error.
func FileError(what, file string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return NotFound("%s: %w", ShownFile(what, file), syscall.ENOENT)
	}
	if bad, ok := errors.AsType[*fs.PathError](err); ok {
		err = bad.Err
	}
	return Usage("%s: %w", ShownFile(what, file), err)
}

// maxAnswer bounds how much of an answer is read, in bytes.
const maxAnswer = 4 << 10

// Ask asks a question on the terminal; only a clear yes counts as yes.
func (s *IO) Ask(ctx context.Context, question string) (bool, error) {
	s.Notef("%s [y/N] ", question)
	line, err := Await(ctx, func() (string, error) { return bufio.NewReader(io.LimitReader(s.In, maxAnswer)).ReadString('\n') })
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes", nil
}

// Confirm asks a person to confirm; if there is none, it refuses.
func (s *IO) Confirm(ctx context.Context, question string) (bool, error) {
	if s.TtyIn == nil {
		return false, Usage("there is no terminal to ask on: --yes removes, --dry-run only counts")
	}
	return s.Ask(ctx, question)
}
