package app

import (
	"darkroom/jobs/download"
	"darkroom/jobs/player"
)

// Player makes the player for videos and sounds: the given program with its arguments, or the
// system's. It gets the environment without its secrets.
func Player(command, environ []string) *player.Player {
	return player.New(player.Options{Command: command, Env: environ, Check: download.Openable})
}
