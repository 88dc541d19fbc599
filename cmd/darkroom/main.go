// Command darkroom is an operator console for a media generation gateway.
package main

import (
	"os"

	"darkroom/cmd/cli"
	"darkroom/cmd/cli/kit"
	_ "darkroom/cmd/darkroom/internal/prefault" // before anything fills the heap
	_ "darkroom/tui/paint/nobg" // before bubbletea asks the terminal for its background
)

func main() { os.Exit(cli.Main(kit.System(), os.Args[1:])) }
