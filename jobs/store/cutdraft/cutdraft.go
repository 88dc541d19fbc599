// Package cutdraft is how a history reads the drafts of many jobs at once: each up to a bound,
// and of a longer one the beginning.
package cutdraft

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"darkroom/client"
	"darkroom/jobs"
)

// Bounds of what a list of jobs reads of a draft.
const (
	Whole = 64 << 10 // bytes of the longest draft that is read as a whole
	Head  = 4 << 10  // characters that are read of a longer one
)

// mark begins the text of a draft that was cut; JSON never does.
const mark = "~"

// Column is the column j.draft in SQL for lists, as [Decode] reads it. SQLite and PostgreSQL
// both tell the length of a text without reading it.
var Column = fmt.Sprintf(`CASE WHEN octet_length(j.draft) <= %d THEN j.draft ELSE '%s' || substr(j.draft, 1, %d) END`, Whole, mark, Head)

// Columns are the columns of jobs as a list reads them: drafts as [Decode] reads them, and of titles,
// notes and errors that are longer than anything here writes the beginning, or that it is left out.
func Columns(all string) string {
	text := func(name string) string {
		return fmt.Sprintf(`CASE WHEN octet_length(%s) <= %d THEN %s ELSE substr(%s, 1, %d) END`, name, Whole, name, name, Head)
	}
	tooLong := fmt.Sprintf(`CASE WHEN octet_length(j.error) <= %d THEN j.error ELSE '{"message":"%s"}' END`, Whole, LongError)
	return strings.NewReplacer("j.draft", Column, "j.title", text("j.title"), "j.note", text("j.note"), "j.error", tooLong).Replace(all)
}

// Texts cuts the texts of a job as [Columns] does.
func Texts(j *jobs.Job) {
	for _, s := range []*string{&j.Title, &j.Note} {
		if r := []rune(*s); len(*s) > Whole && len(r) > Head {
			*s = string(r[:Head])
		}
	}
	if b, err := json.Marshal(j.Error); err == nil && len(b) > Whole {
		j.Error = &client.TaskError{Message: LongError}
	}
}

// LongError stands in the place of an error that is too long for a list.
const LongError = "this error is too long for a list; jobs show has it"

// Of is a draft as a list of jobs has it.
func Of(d client.Draft) (client.Draft, error) {
	b, err := json.Marshal(d)
	if err != nil || len(b) <= Whole {
		return d, err
	}
	var cut client.Draft
	err = Decode(mark+strings.ToValidUTF8(string(b[:Head]), ""), &cut)
	return cut, err
}

// Decode reads a draft of the history, whole or cut. An empty text leaves it as it is.
func Decode(text string, d *client.Draft) error {
	if head, cut := strings.CutPrefix(text, mark); cut {
		*d = beginning(head)
		return nil
	}
	if text == "" {
		return nil
	}
	err := json.Unmarshal([]byte(text), d)
	d.Cut = false
	return err
}

// beginning is what the beginning of a draft tells: the texts that stand in front of its values,
// the last of them as far as it goes.
func beginning(head string) client.Draft {
	d := client.Draft{Cut: true}
	dec := json.NewDecoder(strings.NewReader(head))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return d
	}
	for {
		key, err := dec.Token()
		if err != nil {
			return d
		}
		rest := head[dec.InputOffset():]
		value, err := dec.Token()
		text, isText := value.(string)
		switch {
		case err != nil && key == "prompt":
			d.Prompt = openText(rest)
			return d
		case err != nil || !isText:
			return d
		}
		switch key {
		case "modality":
			d.Modality = client.Modality(text)
		case "model":
			d.Model = text
		case "model_name":
			d.ModelName = text
		case "mode":
			d.Mode = text
		case "prompt":
			d.Prompt = text
		}
	}
}

// longestEscape is the length of a character that JSON writes as two escapes.
const longestEscape = len(`\ud83d\ude00`)

// openText reads what follows a key and begins a text of JSON that does not end.
func openText(rest string) string {
	_, raw, ok := strings.Cut(rest, `"`)
	for range longestEscape {
		var text string
		if ok && json.Unmarshal([]byte(`"`+raw+`"`), &text) == nil {
			return strings.TrimRight(text, string(utf8.RuneError))
		}
		if raw == "" {
			break
		}
		raw = raw[:len(raw)-1]
	}
	return ""
}
