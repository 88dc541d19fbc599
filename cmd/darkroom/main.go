// Command darkroom is an operator console for a media generation gateway.
package main

import (
	"os"

	"darkroom/cmd/cli"
	_ "darkroom/tui/paint/nobg" // before bubbletea asks the terminal for its background
)

func main() { os.Exit(cli.Main(cli.System(), os.Args[1:])) }
