package paint

import (
	"reflect"

	tea "github.com/charmbracelet/bubbletea"
)

// runAll runs the commands of a message that holds some, as the loop would.
func runAll(msg tea.Msg) {
	v := reflect.ValueOf(msg)
	for i := range v.Len() {
		if cmd, ok := v.Index(i).Interface().(tea.Cmd); ok {
			cmd()
		}
	}
}
