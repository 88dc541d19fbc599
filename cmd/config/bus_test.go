package config

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNoBusNoKeyring: the library would start a program to make a bus.
func TestNoBusNoKeyring(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bus := filepath.Join(dir, "bus")
	none := environment(nil)
	require.False(t, sessionBus(none, dir))
	require.False(t, sessionBus(environment(map[string]string{"DBUS_SESSION_BUS_ADDRESS": "autolaunch:"}), dir))
	require.True(t, sessionBus(environment(map[string]string{"DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"}), dir))
	require.NoError(t, os.WriteFile(bus, nil, 0o600))
	require.False(t, sessionBus(none, dir), "a file is no bus")
	require.NoError(t, os.Remove(bus))
	l, err := net.Listen("unix", bus)
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	require.True(t, sessionBus(none, dir))
	require.NotNil(t, SystemKeyring(environment(map[string]string{"DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"})))
}
