package config

import (
	"errors"
	"strings"
)

// CheckPlayer says what is wrong with a player: a program and its arguments as separate words,
// since no shell splits them.
func CheckPlayer(words []string) error {
	for i, w := range words {
		switch {
		case strings.ContainsAny(w, "\x00\n"):
			return errors.New("a word has a line end or a zero byte in it")
		case i == 0 && strings.TrimSpace(w) == "":
			return errors.New("the first word is the program, as in [mpv, --fs]")
		}
	}
	return nil
}
