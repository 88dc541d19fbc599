//go:build unix

package tty

import (
	"fmt"
	"io"
	"os"
)

// Capture is where standard output and standard error go while the terminal is
// painted on, so that a stray print or the runtime's crash report cannot garble
// it. Only those of the two that are terminals are taken.
type Capture struct {
	File  *os.File // what is captured
	taken []taken
}

// taken is a descriptor whose file was replaced.
type taken struct {
	fd  int
	was *os.File
}

// StartCapture points stdout and stderr at a file without a name.
func StartCapture() (*Capture, error) {
	file, err := unnamedFile()
	if err != nil {
		return nil, fmt.Errorf("capturing output: %w", err)
	}
	c := &Capture{File: file}
	for _, std := range []*os.File{os.Stdout, os.Stderr} {
		if !Is(std) {
			continue
		}
		was, err := Duplicate(std)
		if err == nil {
			err = replace(Fd(file), Fd(std))
		}
		if err != nil {
			c.Stop()
			return nil, fmt.Errorf("capturing output: %w", err)
		}
		c.taken = append(c.taken, taken{Fd(std), was})
	}
	return c, nil
}

// Real returns the file that a standard descriptor had before, for a child.
func (c *Capture) Real(std *os.File) *os.File {
	if c != nil {
		for _, t := range c.taken {
			if t.fd == Fd(std) {
				return t.was
			}
		}
	}
	return std
}

// Stop puts stdout and stderr back. Give the terminal back first.
func (c *Capture) Stop() {
	for _, t := range c.taken {
		_ = replace(Fd(t.was), t.fd)
		_ = t.was.Close()
	}
	c.taken = nil
}

// End returns the end of what was captured, at most so many bytes.
func (c *Capture) End(most int64) string {
	info, err := c.File.Stat()
	if err != nil || info.Size() == 0 {
		return ""
	}
	b, err := io.ReadAll(io.NewSectionReader(c.File, max(info.Size()-most, 0), most))
	if err != nil {
		return ""
	}
	return string(b)
}
