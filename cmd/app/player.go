package app

import (
	"strings"

	"darkroom/cmd/config"
	"darkroom/tui/player"
)

// Player makes the player for videos and sounds: the given program with its arguments, or
// what the system has. It gets the environment without the keys that are in it.
func Player(command, environ []string) *player.Player {
	var env []string
	for _, e := range environ {
		if name, _, _ := strings.Cut(e, "="); name != config.EnvKey && name != config.EnvSandboxKey {
			env = append(env, e)
		}
	}
	return player.New(player.Options{Command: command, Env: env})
}
