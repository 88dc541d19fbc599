// Package cutdraft reads the drafts of many jobs at once: of a draft that is longer than a bound it
// reads only the beginning.
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
	whole = 64 << 10 // bytes of the longest draft that is read as a whole
	head  = 4 << 10  // characters that are read of a longer one
)

// mark begins the text of a draft that was cut; JSON never does.
const mark = "~"

// Draft reads a column of drafts for lists, as [Decode] takes it. SQLite and PostgreSQL both tell
// the length of a text without reading it.
func Draft(name string) string {
	return upTo(name, fmt.Sprintf("'%s' || substr(%s, 1, %d)", mark, name, head))
}

// Text reads a column of texts for lists: of one that is longer than anything here writes, the
// beginning.
func Text(name string) string { return upTo(name, fmt.Sprintf("substr(%s, 1, %d)", name, head)) }

// Error reads a column of errors for lists: a long one is left out.
func Error(name string) string { return upTo(name, fmt.Sprintf(`'{"message":"%s"}'`, longError)) }

// upTo reads a column, or something else where it is longer than whole.
func upTo(name, longer string) string {
	return fmt.Sprintf(`CASE WHEN octet_length(%s) <= %d THEN %s ELSE %s END`, name, whole, name, longer)
}

// Texts cuts the texts of a job as [Text] and [Error] do.
func Texts(j *jobs.Job) {
	for _, s := range []*string{&j.Title, &j.Note} {
		if r := []rune(*s); len(*s) > whole && len(r) > head {
			*s = string(r[:head])
		}
	}
	if b, err := json.Marshal(j.Error); err == nil && len(b) > whole {
		j.Error = &client.TaskError{Message: longError}
	}
}

// longError stands in the place of an error that is too long for a list.
const longError = "this error is too long for a list; jobs show has it"

// Of is a draft as a list of jobs has it.
func Of(d client.Draft) (client.Draft, error) {
	b, err := json.Marshal(d)
	if err != nil || len(b) <= whole {
		return d, err
	}
	var cut client.Draft
	err = Decode(mark+strings.ToValidUTF8(string(b[:head]), ""), &cut)
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

// beginning reads what the beginning of a draft tells: the texts that stand before its values, the
// last of them as far as it goes.
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

// openText reads what follows a key: the beginning of a JSON string that does not end.
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
