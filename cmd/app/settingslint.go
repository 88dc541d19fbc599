package app

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"darkroom/client"
	"darkroom/cmd/config"
	"darkroom/themes"
	"darkroom/tui/app"
)

// AutoTheme leaves the theme to the terminal's background.
const AutoTheme = "auto"

// SettingsMistake is one in the text of a settings file, with its place.
type SettingsMistake struct {
	Line, Column int
	Text         string
}

// LintSettings returns all mistakes in the text of a settings file: those that the table of settings
// knows, else those of what it cannot know: which profiles, themes and actions there are.
func LintSettings(p config.Paths, b []byte) (out []SettingsMistake) {
	add := func(line, column int, message string) {
		out = append(out, SettingsMistake{max(line, 1), max(column, 1), client.Clean(message)})
	}
	for _, err := range config.Lint(b) {
		var at *config.Problem
		if errors.As(err, &at) {
			add(at.Line, at.Column, at.Message())
			continue
		}
		line, column, text := placed(err.Error())
		add(line, column, text)
	}
	if len(out) > 0 {
		return out
	}
	f, err := config.Parse(b)
	if err != nil {
		return out // Lint has said it
	}
	if err := checkProfile(f); err != nil {
		line, column := config.PlaceOf(b, "profile")
		add(line, column, err.Error())
	}
	if err := checkTheme(p, f); err != nil {
		line, column := config.PlaceOf(b, "theme")
		add(line, column, err.Error())
	}
	_, errs := app.Keys().Override(f.Keys)
	for _, err := range errs {
		keys := []string{"keys"}
		for _, id := range slices.Sorted(maps.Keys(f.Keys)) {
			if strings.Contains(err.Error(), id) {
				keys = []string{"keys", id}
			}
		}
		line, column := config.PlaceOf(b, keys...)
		add(line, column, err.Error())
	}
	return out
}

// placed takes the place off the text of an error, "[line:column] …"; zeros where it has none.
func placed(text string) (line, column int, rest string) {
	if _, err := fmt.Sscanf(text, "[%d:%d]", &line, &column); err == nil {
		_, rest, _ = strings.Cut(text, "] ")
		return line, column, rest
	}
	return 0, 0, text
}

// CheckSettings checks what the table of settings cannot tell of a key that is about to be written: which
// profiles, themes and actions there are.
func CheckSettings(p config.Paths, f config.File, key string) error {
	switch {
	case key == "profile":
		return checkProfile(f)
	case key == "theme":
		return checkTheme(p, f)
	case strings.HasPrefix(key, "keys."):
		_, errs := app.Keys().Override(f.Keys)
		return errors.Join(errs...)
	}
	return nil
}

// checkProfile says what is wrong with the profile that a settings file names.
func checkProfile(f config.File) error {
	if _, ok := f.Profiles[f.Profile]; ok || f.Profile == "" || f.Profile == config.Sandbox || config.IsEnv(f.Profile) {
		return nil
	}
	return fmt.Errorf("profile: there is no profile %q; there are %s", f.Profile, strings.Join(append(slices.Sorted(maps.Keys(f.Profiles)), config.Sandbox), ", "))
}

// checkTheme says what is wrong with the theme that a settings file names.
func checkTheme(p config.Paths, f config.File) error {
	if f.Theme == "" || f.Theme == AutoTheme {
		return nil
	}
	l, err := themes.Open(p.Themes)
	if err == nil {
		_, err = l.Get(f.Theme)
	}
	return err
}
