// Package nobg keeps bubbletea from asking the terminal for its background
// colour when it is imported. Import it, for its effect, in package main.
//
// bubbletea v1 asks (OSC 11) in its own init and waits for the answer: on a
// terminal that never answers, start-up takes five seconds more. It does not ask
// once lipgloss has been told. Go initialises packages that are ready in the
// order of their import paths, so this one, which imports lipgloss alone and
// whose path sorts before github.com/charmbracelet/bubbletea, tells it first.
// The background is asked for after the first paint, by package paint.
package nobg

import "github.com/charmbracelet/lipgloss"

// The one init that this program allows itself: nothing later is early enough.
func init() { lipgloss.SetHasDarkBackground(true) }
