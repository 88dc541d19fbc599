// Command darkroom is an operator console for a media generation gateway.
package main

import (
	"os"

	"darkroom/client/stack"
	"darkroom/cmd/cli"
	"darkroom/cmd/cli/kit"
	"darkroom/cmd/darkroom/internal/prefault" // its effect comes before anything fills the heap
	_ "darkroom/tui/paint/nobg"               // before bubbletea asks the terminal for its background
)

func main() {
	args := os.Args[1:]
	if !cli.Brief(args) {
		prefault.More() // the initialisers may have filled the first piece
		stack.Grow()
	}
	os.Exit(cli.Main(kit.System(), args))
}
