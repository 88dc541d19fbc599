package app

import (
	"strings"

	"darkroom/cmd/config"
	"darkroom/jobs/download"
	"darkroom/tui/player"
)

// Player makes the player for videos and sounds: the given program with its arguments, or
// what the system has. It gets the environment without what is secret in it.
func Player(command, environ []string) *player.Player {
	return player.New(player.Options{Command: command, Env: withoutSecrets(environ), Check: download.Openable})
}

// withoutSecrets is an environment without the keys, and without the address of a shared
// history, which may have a password in it: what every program gets that is started. It is never
// nil: that would be all of ours.
func withoutSecrets(environ []string) []string {
	env := make([]string, 0, len(environ))
	for _, e := range environ {
		switch name, _, _ := strings.Cut(e, "="); name {
		case config.EnvKey, config.EnvSandboxKey, config.EnvHistory:
		default:
			env = append(env, e)
		}
	}
	return env
}
