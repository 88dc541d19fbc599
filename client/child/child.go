// Package child makes the command for every program that we start: the editor, the player, those
// that open or convert files or show notifications. Nothing else does, so none of them gets the
// secrets in our environment.
package child

import (
	"context"
	"os"
	"os/exec"
	"strings"
)

// secret reports whether a variable must be kept from other programs: the gateway's keys, and the
// address of a shared history, which may hold a password.
func secret(name string) bool {
	switch name {
	case "DARKROOM_API_KEY", "DARKROOM_SANDBOX_KEY", "DARKROOM_HISTORY",
		"PGPASSWORD", "PGPASSFILE", "PGSERVICEFILE", "PGSSLPASSWORD", "PGSSLKEY":
		return true
	}
	return strings.HasPrefix(name, "DARKROOM_SANDBOX_KEY_")
}

// Environ returns an environment without its secrets; nil stands for that of this process. The
// result is never nil: a command would take nil for our whole environment.
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

// Command returns a program to start, killed when ctx ends. It gets the environment as [Environ]
// leaves it; nil stands for that of this process.
func Command(ctx context.Context, environ []string, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...) // #nosec G204 -- programs of the person's and of the system; no shell reads the words
	cmd.Env = Environ(environ)
	return cmd
}
