package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
)

// SystemKeyring is the desktop's keyring; nil if there is no desktop to have one. On Linux it is
// reached over the session bus; without one the library would start a bus of its own
// (dbus-launch), which nobody ends and whose keyring nobody has unlocked.
func SystemKeyring(env func(string) string) Keyring {
	if runtime.GOOS == "linux" && !sessionBus(env, filepath.Join("/run/user", strconv.Itoa(os.Getuid()))) {
		return nil
	}
	return system{}
}

// sessionBus reports whether there is a session bus where the library looks for it: at the address
// in the environment, else in the folder that systemd makes for the logged-in user
// (XDG_RUNTIME_DIR usually names it; the library does not ask).
func sessionBus(env func(string) string, runtimeDir string) bool {
	if a := env("DBUS_SESSION_BUS_ADDRESS"); a != "" && a != "autolaunch:" {
		return true
	}
	info, err := os.Stat(filepath.Join(runtimeDir, "bus"))
	return err == nil && info.Mode().Type() == os.ModeSocket
}
