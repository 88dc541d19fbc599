package chat

import (
	"bytes"
	"errors"
	"strings"

	"darkroom/client"
	"darkroom/client/formats/wire"
)

// maxText bounds the whole text of a stream.
const maxText = 16 << 20

// stream decodes a streamed answer (server-sent events): "data:" lines with chunks,
// comments, a chunk with the usage, "[DONE]", and errors in the middle. Its zero value
// is ready.
type stream struct {
	text, reasoning, refusal strings.Builder
	answer                   client.ChatAnswer
	data                     []byte // data lines of the event that is being read
	has                      bool   // there was a data line
	first                    bool   // the first line has been seen
	done                     bool
	chunks                   int
	stray                    []byte // what is no event stream at all
}

// Line implements client.ChatStream.
func (s *stream) Line(line []byte) (delta string, done bool, err error) {
	if s.done {
		return "", true, nil
	}
	if !s.first {
		s.first = true
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	line = bytes.TrimRight(line, "\r\n")
	if len(line) == 0 {
		return s.dispatch()
	}
	field, value, ok := bytes.Cut(line, []byte(":"))
	if !ok && !isField(line) {
		s.keepStray(line)
		return "", false, nil
	}
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(field) {
	case "data":
		// Some servers leave out the blank line between events.
		if s.has && (whole(s.data) || string(value) == "[DONE]") {
			if delta, done, err = s.dispatch(); done || err != nil {
				return delta, done, err
			}
		}
		if s.has {
			s.data = append(s.data, '\n')
		}
		s.has = true
		s.data = append(s.data, value...)
	case "", "event", "id", "retry": // a comment, or what is of no use here
	default:
		s.keepStray(line)
	}
	return delta, false, nil
}

func isField(line []byte) bool {
	switch string(line) {
	case "data", "event", "id", "retry":
		return true
	default:
		return false
	}
}

// whole reports data that begins and ends like one JSON object.
func whole(b []byte) bool {
	b = bytes.TrimSpace(b)
	return len(b) > 1 && b[0] == '{' && b[len(b)-1] == '}'
}

func (s *stream) keepStray(line []byte) {
	if len(s.stray) < 64<<10 {
		s.stray = append(append(s.stray, line...), '\n')
	}
}

// dispatch reads the completed event.
func (s *stream) dispatch() (string, bool, error) {
	data := bytes.TrimSpace(s.data)
	s.data, s.has = nil, false
	if len(data) == 0 {
		return "", false, nil
	}
	if string(data) == "[DONE]" {
		s.done = true
		return "", true, nil
	}
	c, err := wire.ReadChunk(data)
	if err != nil {
		s.done = true
		return "", true, err
	}
	s.chunks++
	s.take(c.Answer)
	if s.text.Len() > maxText {
		s.done = true
		return "", true, errors.New("the streamed answer is longer than 16 MiB")
	}
	return c.Answer.Text, false, nil
}

func (s *stream) take(a client.ChatAnswer) {
	s.text.WriteString(a.Text)
	s.reasoning.WriteString(a.Reasoning)
	s.refusal.WriteString(a.Refusal)
	if a.ID != "" {
		s.answer.ID = a.ID
	}
	if a.Model != "" {
		s.answer.Model = a.Model
	}
	if a.Finish != "" {
		s.answer.Finish = a.Finish
	}
	if len(a.Usage) > 0 {
		s.answer.Usage = a.Usage
	}
}

// End implements client.ChatStream. A stream without [DONE] is complete when a choice has finished.
func (s *stream) End() (string, error) {
	if s.done {
		return "", nil
	}
	delta, done, err := s.dispatch()
	if done || err != nil {
		return delta, err
	}
	s.done = true
	switch {
	case s.answer.Finish != "":
		return delta, nil
	case s.chunks > 0:
		return delta, errors.New("the stream ended before the answer did")
	}
	if e, ok := client.ErrorIn(s.stray); ok {
		return delta, &wire.Error{TaskError: e}
	}
	return delta, errors.New("the stream ended without an answer")
}

// Answer implements client.ChatStream.
func (s *stream) Answer() client.ChatAnswer {
	a := s.answer
	a.Text, a.Reasoning, a.Refusal = s.text.String(), s.reasoning.String(), s.refusal.String()
	return a
}
