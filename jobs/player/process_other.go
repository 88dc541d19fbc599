//go:build !linux

package player

import "syscall"

// attributes put a program into a group of its own.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
