package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"darkroom/client"
	"darkroom/client/transport"
	"darkroom/jobs/download"
)

// Kind is what a setting's value is.
type Kind string

// Kinds of settings.
const (
	Text    Kind = "text"
	Bool    Kind = "bool"
	Number  Kind = "number"
	Words   Kind = "words"   // a list of texts
	Wording Kind = "dialect" // the name of a dialect, or its words
)

// Setting is a key of config.yaml. The loader checks files by this table, and the JSON schema, the
// commands and the help are made of it.
type Setting struct {
	// Key is the place in the file; * stands for any name: the profile's, the format's, the action's.
	Key  string
	Kind Kind
	// Allowed are the only values; empty for others as well.
	Allowed []string
	// Min and Max bound a number, if Max is above Min; Whole numbers alone are allowed then, or zero,
	// too.
	Min, Max    float64
	Whole, Zero bool
	// Required says that what it is a part of needs it.
	Required bool
	// Default is what holds without it, as it would be written; "" for nothing, or what depends on
	// the machine. Usual says in words what holds then; "" where Default does.
	Default, Usual string
	// Env is the variable that outranks the file, Flag the one of a command that outranks both; ""
	// for none.
	Env, Flag string
	// Group is the heading that it stands under on a screen, Label its name there, in a person's words.
	Group, Label string
	// Unit and Nought are what a number and a zero mean there, as days and for ever; "" for themselves.
	Unit, Nought string
	// Restart says that a console that runs goes on with the former value.
	Restart bool
	// Help says in one sentence what it is for.
	Help string

	secret bool // the value may hold a password
	check  func(value any) error
}

// Settings are all keys of config.yaml, in the order in which they are told.
func Settings() []Setting {
	return slices.Concat(consoleSettings(), savingSettings(), profileSettings())
}

func consoleSettings() []Setting {
	return []Setting{
		{Key: "profile", Group: "Gateway", Label: "Start with profile", Restart: true, Flag: "--profile", Kind: Text, Default: Sandbox, Env: EnvProfile, Help: "The profile that is used when none is named; sandbox is the embedded gateway."},
		{Key: "theme", Group: "Look", Label: "Theme", Kind: Text, Default: "auto", Env: EnvTheme, Help: "The colours: the name of a theme (`darkroom themes list`), or auto, which goes dark or light with the terminal's background."},
		{Key: "preview", Group: "Look", Label: "Pictures", Flag: "--preview", Kind: Text, Allowed: previewNames(), Default: string(PreviewAuto), Env: EnvPreview, Help: "How pictures are drawn; auto uses the best way the terminal has.",
			check: func(v any) error { return Preview(textOf(v)).check() }},
		{Key: "mouse", Group: "Console", Label: "Mouse", Kind: Bool, Default: "true", Help: "Whether clicks and the wheel work in the console."},
		{Key: "notify", Group: "Console", Label: "Notify of ended jobs", Kind: Text, Allowed: slices.Clone(notifyBy), Default: "auto", Help: "How you are told that a job has ended while you look elsewhere."},
		{Key: "player", Group: "Console", Label: "Player", Kind: Words, Usual: "mpv, or what there is", Help: "The program, with its arguments, that plays videos and sounds; {} stands for the file, which otherwise comes last.",
			check: func(v any) error { return CheckPlayer(wordsOf(v)) }},
		{Key: "keys.*", Group: "Keys", Label: "Keys of an action", Kind: Words, Help: "The keys of an action of the console; `darkroom config keys` lists actions."},
		{Key: "retention", Group: "History", Label: "Keep ended jobs", Unit: "days", Nought: "for ever", Restart: true, Kind: Number, Max: maxRetention, Whole: true, Default: "0", Help: "How many days ended jobs without a tag or star stay in the history; 0 for ever.", check: checkRetention},
	}
}

func savingSettings() []Setting {
	return []Setting{
		{Key: "downloads", Group: "Results", Label: "Folder", Kind: Text, Env: EnvDownloads, Help: "The folder that results are saved into: an absolute path, or one that begins with ~/."},
		{Key: "auto_download", Group: "Results", Label: "Save automatically", Restart: true, Kind: Bool, Default: "true", Help: "Whether results are saved as soon as they are ready."},
		{Key: "name_template", Group: "Results", Label: "File names", Kind: Text, Default: download.DefaultTemplate, Help: "How files are named within the folder.",
			check: func(v any) error { return download.CheckTemplate(textOf(v)) }},
		{Key: "max_download", Group: "Results", Label: "Largest file", Kind: Text, Default: download.UsualSize, Help: "The largest file that is saved, such as 500 MB or 8 GiB.", check: func(v any) error {
			if n, err := parseSize(textOf(v)); err != nil || n == 0 {
				return sizeError(textOf(v), "more than 0")
			}
			return nil
		}},
		{Key: "keep_free", Group: "Results", Label: "Keep free on the disk", Kind: Text, Default: download.UsualFree, Help: "How much room a download leaves free on the disk, such as 2 GB.", check: func(v any) error {
			_, err := parseSize(textOf(v))
			return err
		}},
		{Key: "parallel_downloads", Group: "Results", Label: "Files at a time", Nought: strconv.Itoa(download.UsualConcurrency), Restart: true, Kind: Number, Max: maxParallel, Whole: true, Default: strconv.Itoa(download.UsualConcurrency), Help: "How many files are fetched at a time."},
		{Key: "sidecars", Group: "Results", Label: "Details beside each file", Kind: Bool, Default: "true", Help: "Whether a JSON file beside each result says how it was made."},
	}
}

func profileSettings() []Setting {
	const p = "profiles.*."
	return []Setting{
		{Key: p + "base_url", Group: "Profile", Label: "Address", Restart: true, Kind: Text, Required: true, Env: EnvBaseURL, Help: "The gateway's address, such as https://gateway.example; plain http only on this machine.", check: func(v any) error {
			_, err := CheckBaseURL(textOf(v))
			return err
		}},
		{Key: p + "dialect", Group: "Profile", Label: "Gateway's own words", Usual: "none", Restart: true, Kind: Wording, Env: EnvDialect, Help: "The gateway's own words for paths, models and fields: the name of a dialect (`darkroom gateway dialects`), or the words."},
		{Key: p + "create_paths.*", Group: "Profile", Label: "Where a format creates", Restart: true, Kind: Text, Help: "The path that creates jobs in this format, where the gateway's documentation has none.",
			check: func(v any) error { return client.CheckPath(textOf(v)) }},
		{Key: p + "history", Group: "Profile", Label: "History", Restart: true, Kind: Text, Default: historyFile, Env: EnvHistory, secret: true, Help: "The address of a shared history (PostgreSQL), or sqlite for the file on this machine.", check: func(v any) error {
			_, err := CheckHistory(textOf(v))
			return err
		}},
		{Key: p + "rate", Group: "Profile", Label: "Requests a second", Nought: strconv.Itoa(transport.DefaultRate), Restart: true, Kind: Number, Min: minRate, Max: maxRate, Zero: true, Default: strconv.Itoa(transport.DefaultRate), Help: "The most requests a second that go to the gateway; 0 for the default.", check: checkRate},
		{Key: p + "private_results", Group: "Profile", Label: "Results from private addresses", Restart: true, Kind: Bool, Default: "false", Help: "Whether results may come from this machine and private addresses even if the gateway is not at one."},
		{Key: p + "read_only", Group: "Profile", Label: "Read only", Restart: true, Flag: "--read-only", Kind: Bool, Default: "false", Env: EnvReadOnly, Help: "Whether nothing is sent that creates, changes or deletes."},
		{Key: p + "color", Group: "Profile", Label: "Colour", Usual: "the theme's", Kind: Text, Help: "The profile's colour in the title bar: accent, good, warn, bad, info, the name of a colour, or #rrggbb.", check: func(v any) error {
			_, err := checkColor(textOf(v))
			return err
		}},
		{Key: p + "banner", Group: "Profile", Label: "Banner", Usual: "none", Kind: Text, Help: "A short text beside the profile's name in the title bar, such as PRODUCTION.", check: func(v any) error { return checkBanner(textOf(v)) }},
	}
}

func previewNames() []string {
	var names []string
	for _, p := range Previews() {
		names = append(names, string(p))
	}
	return names
}

func checkRetention(v any) error {
	if n, err := strconv.ParseFloat(textOf(v), 64); err != nil || !(n >= 0 && n <= maxRetention) || n != math.Trunc(n) {
		return fmt.Errorf("%s: give a whole number of days from 1 to %d, or 0 for ever", textOf(v), maxRetention)
	}
	return nil
}

func checkRate(v any) error {
	if n, err := strconv.ParseFloat(textOf(v), 64); err != nil || n != 0 && !(n >= minRate && n <= maxRate) { // NaN is in no range
		return fmt.Errorf("%v: give requests a second, from %v to %d, or 0 for the default %d", n, minRate, maxRate, transport.DefaultRate)
	}
	return nil
}

// textOf is a plain value as it is written.
func textOf(v any) string {
	switch x := v.(type) {
	case nil:
		return ""
	case string:
		return x
	case json.Number:
		return x.String()
	case []any:
		return strings.Join(wordsOf(v), " ")
	default:
		return fmt.Sprint(x)
	}
}

// wordsOf are the words of a list.
func wordsOf(v any) (words []string) {
	list, _ := v.([]any)
	for _, x := range list {
		words = append(words, textOf(x))
	}
	return words
}

// Check says what is wrong with a value, as package yamlfile gives it; nil for none. A value of nil
// stands for a key that was left empty, which is allowed where the key may be missing.
func (s *Setting) Check(value any) error {
	if value == nil {
		if s.Required {
			return s.check("")
		}
		return nil
	}
	if err := s.checkKind(value); err != nil {
		return err
	}
	if s.check != nil {
		return s.check(value)
	}
	if len(s.Allowed) > 0 && !slices.Contains(s.Allowed, textOf(value)) {
		return fmt.Errorf("%q: allowed are %s", textOf(value), strings.Join(s.Allowed, ", "))
	}
	if s.Kind == Number {
		return s.checkNumber(textOf(value))
	}
	return nil
}

// checkKind checks what sort of value it is. It repeats none: it may be a key in the wrong place.
func (s *Setting) checkKind(value any) error {
	switch value.(type) {
	case []any:
		if s.Kind == Words {
			return nil
		}
	case map[string]any:
		if s.Kind == Wording {
			return nil
		}
	case bool:
		if s.Kind == Bool || s.Kind == Text {
			return nil
		}
	case json.Number:
		if s.Kind == Number || s.Kind == Text || s.Kind == Wording {
			return nil
		}
	case string:
		if s.Kind == Text || s.Kind == Wording || s.Kind == Number {
			return nil // not every number is one of JSON's; see checkNumber
		}
	}
	return errors.New(s.needs())
}

// needs says what sort of value is needed.
func (s *Setting) needs() string {
	switch {
	case s.Kind == Bool:
		return "give true or false"
	case s.Kind == Words:
		return "give a list, such as [mpv, --fs]"
	case s.Kind == Number:
		return "give a number " + s.Bounds()
	case s.Kind == Wording:
		return "give the name of a dialect, or its words"
	case len(s.Allowed) > 0:
		return "give one of " + strings.Join(s.Allowed, ", ")
	}
	return "give a text"
}

// May says in words which values are allowed besides those in Allowed; "" where nothing is to be said.
func (s *Setting) May() string {
	switch s.Kind {
	case Bool:
		return "on or off"
	case Words:
		return "words, as a shell parts them"
	case Number:
		return s.Bounds()
	case Wording:
		return "the name of a dialect"
	}
	return ""
}

// Bounds are the bounds of a number in words.
func (s *Setting) Bounds() string {
	text := fmt.Sprintf("from %v to %v", s.Min, s.Max)
	if s.Whole {
		text += ", whole"
	}
	if s.Zero {
		text += fmt.Sprintf(", or 0 for the default %s", s.Default)
	}
	return text
}

func (s *Setting) checkNumber(text string) error {
	n, err := strconv.ParseFloat(text, 64)
	switch {
	case err == nil && n == 0 && (s.Zero || s.Min == 0),
		err == nil && n >= s.Min && n <= s.Max && (!s.Whole || n == math.Trunc(n)):
		return nil
	case err != nil:
		return errors.New(s.needs())
	}
	return fmt.Errorf("%v: give a number %s", n, s.Bounds())
}

// find returns the setting at a place of keys; within says that there are some below it.
func find(all []Setting, keys []string) (s *Setting, within bool) {
	for i := range all {
		parts := strings.Split(all[i].Key, ".")
		if len(parts) < len(keys) || slices.ContainsFunc(keys, func(k string) bool { return k == "" }) {
			continue
		}
		same := true
		for j, k := range keys {
			same = same && (parts[j] == "*" || parts[j] == k)
		}
		if same && len(parts) == len(keys) {
			return &all[i], false
		}
		within = within || same
	}
	return nil, within
}
