package player

import "syscall"

// attributes put a program into a group of its own, and have the system end it with us,
// however we end.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}
