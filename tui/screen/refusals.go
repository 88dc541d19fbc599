package screen

import tea "github.com/charmbracelet/bubbletea"

// Refusals are the toasts that say why something was not done, kept for as long as they are true.
type Refusals []string

// Say shows why something was not done.
func (r *Refusals) Say(text string) tea.Cmd {
	*r = append(*r, text)
	return Toast(Bad, text)
}

// Unsay removes all of them, once the reasons have changed.
func (r *Refusals) Unsay() tea.Cmd {
	var cmds []tea.Cmd
	for _, text := range *r {
		cmds = append(cmds, Untoast(text))
	}
	*r = nil
	return tea.Batch(cmds...)
}
