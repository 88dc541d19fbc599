//go:build unix

package paint

import (
	"reflect"

	tea "github.com/charmbracelet/bubbletea"

	"darkroom/client/stack"
)

var cmdType = reflect.TypeFor[tea.Cmd]()

// guarded returns cmd with its panics caught: they end the program in order.
// What it returns may hold further commands, which are guarded too.
func (t *Terminal) guarded(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		defer t.Recover()
		stack.Grow()
		return t.guardedMsg(cmd())
	}
}

// guardedMsg guards the commands in a tea.BatchMsg, or in the message of
// tea.Sequence, whose type has no exported name.
func (t *Terminal) guardedMsg(msg tea.Msg) tea.Msg {
	if batch, ok := msg.(tea.BatchMsg); ok {
		for i, cmd := range batch {
			batch[i] = t.guarded(cmd)
		}
		return batch
	}
	v := reflect.ValueOf(msg)
	if !v.IsValid() || v.Kind() != reflect.Slice || v.Type().Elem() != cmdType {
		return msg
	}
	out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	for i := range v.Len() {
		if cmd, ok := v.Index(i).Interface().(tea.Cmd); ok {
			out.Index(i).Set(reflect.ValueOf(t.guarded(cmd)))
		}
	}
	return out.Interface()
}
