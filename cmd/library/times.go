package library

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"darkroom/client/human"
	"darkroom/cmd/config"
)

// Times remembers in a file how a person has points in time written: one word.
type Times struct{ path string }

// OpenTimes is the choice in a file, which need not exist.
func OpenTimes(path string) Times { return Times{path} }

// Load is the choice that was kept, [human.Local] for none.
func (t Times) Load() (human.TimeStyle, error) {
	f, err := os.Open(t.path)
	if errors.Is(err, fs.ErrNotExist) {
		return human.Local, nil
	}
	if err != nil {
		return human.Local, err
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(io.LimitReader(f, 100))
	if err != nil {
		return human.Local, err
	}
	if s, ok := human.ParseTimeStyle(strings.TrimSpace(string(b))); ok {
		return s, nil
	}
	return human.Local, fmt.Errorf("%s names no way to write times; it is one of %v", t.path, human.TimeStyles())
}

// Save keeps a choice.
func (t Times) Save(s human.TimeStyle) error {
	return config.WritePrivate(t.path, []byte(string(s)+"\n"))
}
