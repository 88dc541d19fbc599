package config

import (
	"errors"
	"fmt"
	"strings"

	"darkroom/client/text"
	"darkroom/themes"
)

// maxBanner bounds a banner, in characters: the title bar has little room.
const maxBanner = 16

// checkColor returns the colour of a profile as [themes.Styles.Mark] takes it, "" for none, or says
// what is wrong with it.
func checkColor(s string) (string, error) {
	if s == "" {
		return "", nil
	}
	return themes.ParseMark(s)
}

// checkBanner says what is wrong with the banner of a profile.
func checkBanner(s string) error {
	switch n := len([]rune(s)); {
	case s != strings.TrimSpace(text.CleanLine(s)):
		return errors.New("give a short text without control characters, as PRODUCTION")
	case n > maxBanner:
		return fmt.Errorf("%d characters; at most %d fit into the title bar", n, maxBanner)
	}
	return nil
}

// readOnly is what makes a profile of the settings read-only by itself, "" for nothing.
func (p ProfileFile) readOnly(name string) string {
	if p.ReadOnly {
		return "read_only of profile " + name
	}
	return ""
}

// byFlag is what makes a run read-only that --read-only was given to.
const byFlag = "--read-only"

// readOnly is what makes the run read-only; own is the profile's part in it. Nothing makes a
// read-only profile writable but its settings.
func (r Request) readOnly(own string) (string, error) {
	switch s := strings.ToLower(strings.TrimSpace(r.Env(EnvReadOnly))); {
	case s == "" || s == "0" || s == "false" || s == "no" || s == "off":
	case s != "1" && s != "true" && s != "yes" && s != "on":
		return "", fmt.Errorf("%s: say 1 or 0", EnvReadOnly)
	case own == "" && !r.ReadOnly:
		return EnvReadOnly, nil
	}
	if r.ReadOnly {
		return byFlag, nil
	}
	return own, nil
}
