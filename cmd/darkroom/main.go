// Command darkroom is an operator console for a media generation gateway.
package main

import (
	"os"

	"darkroom/cmd/cli"
)

func main() { os.Exit(cli.Main(cli.System(), os.Args[1:])) }
