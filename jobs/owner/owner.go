// Package owner names processes, so that another process on the same machine can tell whether
// one still lives.
package owner

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
)

// New names this process: host, boot and process namespace, process id, and the process's
// start time, since ids are used again. A random number before it tells owners of one process
// apart.
func New() string {
	pid := os.Getpid()
	return fmt.Sprintf("%x#%s|%d|%s", rand.Uint64(), thisPlace(), pid, processStart(pid)) //nolint:gosec // no secret
}

// Dead reports whether an owner was on this machine and is certainly gone. Owners of other
// machines, or of which that is unknown, are never dead: their leases expire.
func Dead(owner string) bool {
	_, owner, _ = strings.Cut(owner, "#")
	place, rest, ok := cutLast2(owner)
	if !ok || place == "" || place != thisPlace() {
		return false
	}
	pid, err := strconv.Atoi(rest[0])
	if err != nil || rest[1] == "" {
		return false
	}
	return processStart(pid) != rest[1]
}

// Lives reports whether the process of a name lives, where that is known: it is of this machine, in
// the process namespace that we see, or from before the machine's last start.
func Lives(name string) (lives, known bool) {
	_, rest, _ := strings.Cut(name, "#")
	place, _, ok := cutLast2(rest)
	here := thisPlace()
	if !ok || place == "" || here == "" {
		return false, false
	}
	if place == here {
		return !Dead(name), true
	}
	host, boot, _ := strings.Cut(place, "/")
	ownHost, ownBoot, _ := strings.Cut(here, "/")
	boot, _, _ = strings.Cut(boot, "/")
	ownBoot, _, _ = strings.Cut(ownBoot, "/")
	return false, host == ownHost && boot != ownBoot
}

// cutLast2 splits "place|pid|start"; the place may hold any text.
func cutLast2(s string) (string, [2]string, bool) {
	i := strings.LastIndexByte(s, '|')
	if i < 0 {
		return "", [2]string{}, false
	}
	j := strings.LastIndexByte(s[:i], '|')
	if j < 0 {
		return "", [2]string{}, false
	}
	return s[:j], [2]string{s[j+1 : i], s[i+1:]}, true
}

// thisPlace names where a process id means something: this boot of this machine, and this
// process namespace. It is "" where the system does not tell.
func thisPlace() string {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	ns, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return ""
	}
	host, _ := os.Hostname()
	return host + "/" + strings.TrimSpace(string(boot)) + "/" + ns
}

// processStart is a process's start time in clock ticks since boot, as text; "" for a
// process that is not there, and "" always where there is no /proc. A zombie is gone.
func processStart(pid int) string {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return ""
	}
	// The second field is the name in parentheses and may hold blanks and parentheses.
	_, rest, ok := strings.Cut(string(b[max(0, strings.LastIndexByte(string(b), ')')):]), ") ")
	if !ok {
		return ""
	}
	f := strings.Fields(rest)
	const startField = 19 // the 22nd of all, the 20th after the name
	if len(f) <= startField || f[0] == "Z" || f[0] == "X" {
		return ""
	}
	return f[startField]
}
