// Package child makes the command of every other program that is started: the editor, the player,
// what opens and converts files, what shows notifications. Nothing else does, so that none of them
// gets the secrets in our environment.
package child

import (
	"context"
	"os"
	"os/exec"
	"strings"
)

// secret reports whether a variable is no other program's business: the gateway's keys, and how
// a shared history is reached, whose address may hold a password.
func secret(name string) bool {
	switch name {
	case "DARKROOM_API_KEY", "DARKROOM_SANDBOX_KEY", "DARKROOM_HISTORY",
		"PGPASSWORD", "PGPASSFILE", "PGSERVICEFILE", "PGSSLPASSWORD", "PGSSLKEY":
		return true
	}
	return false
}

// Environ is an environment without what is secret in it, nil for that of this process. It is
// never nil itself: a command takes that for all of ours.
func Environ(environ []string) []string {
	if environ == nil {
		environ = os.Environ()
	}
	clean := make([]string, 0, len(environ))
	for _, e := range environ {
		if name, _, _ := strings.Cut(e, "="); !secret(name) {
			clean = append(clean, e)
		}
	}
	return clean
}

// Command is a program that has yet to be started, killed when ctx ends. It gets what [Environ]
// leaves of an environment, nil for that of this process.
func Command(ctx context.Context, environ []string, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...) // #nosec G204 -- programs of the person's and of the system; no shell reads the words
	cmd.Env = Environ(environ)
	return cmd
}
