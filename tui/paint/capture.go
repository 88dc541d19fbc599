//go:build unix

package paint

import (
	"fmt"
	"io"
	"os"
)

// capture is where standard output and standard error go while the terminal is
// painted on, so that a stray print or the runtime's crash report cannot garble
// it. Only those of the two that are terminals are taken.
type capture struct {
	file  *os.File
	taken []taken
}

// taken is a descriptor whose file was replaced.
type taken struct {
	fd  int
	was *os.File
}

// startCapture points stdout and stderr at a file without a name.
func startCapture() (*capture, error) {
	file, err := unnamedFile()
	if err != nil {
		return nil, fmt.Errorf("capturing output: %w", err)
	}
	c := &capture{file: file}
	for _, std := range []*os.File{os.Stdout, os.Stderr} {
		if !isTerminal(std) {
			continue
		}
		was, err := duplicate(std)
		if err == nil {
			err = replace(fdOf(file), fdOf(std))
		}
		if err != nil {
			c.stop()
			return nil, fmt.Errorf("capturing output: %w", err)
		}
		c.taken = append(c.taken, taken{fdOf(std), was})
	}
	return c, nil
}

// real returns the file that a standard descriptor had before, for a child.
func (c *capture) real(std *os.File) *os.File {
	if c != nil {
		for _, t := range c.taken {
			if t.fd == fdOf(std) {
				return t.was
			}
		}
	}
	return std
}

// stop puts stdout and stderr back. Leave comes first.
func (c *capture) stop() {
	for _, t := range c.taken {
		_ = replace(fdOf(t.was), t.fd)
		_ = t.was.Close()
	}
	c.taken = nil
}

// text returns the end of what was captured, cleaned. Its size is bounded.
func (c *capture) text() string {
	info, err := c.file.Stat()
	if err != nil || info.Size() == 0 {
		return ""
	}
	from := max(info.Size()-maxReplay, 0)
	b, err := io.ReadAll(io.NewSectionReader(c.file, from, maxReplay))
	if err != nil {
		return ""
	}
	return cleaned(string(b))
}
