package owner

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOwner(t *testing.T) {
	t.Parallel()
	me := New()
	assert.NotEqual(t, me, New(), "engines of one process are told apart")
	assert.False(t, Dead(me))
	for _, o := range []string{"", "me", "a|b", "other/boot/ns|1|2", "|1|2", "#" + thisPlace() + "|x|1", "#" + thisPlace() + "|1|"} {
		assert.False(t, Dead(o), o)
	}
	if thisPlace() == "" {
		return // the system does not tell who lives
	}
	lives, known := Lives(me)
	assert.True(t, lives && known)
	host, rest, _ := strings.Cut(thisPlace(), "/")
	boot, ns, _ := strings.Cut(rest, "/")
	lives, known = Lives("1#" + host + "/" + "another-boot/" + ns + "|1|2")
	assert.True(t, known && !lives, "from before the machine's last start")
	for _, o := range []string{"", "me", "1#another-host/another-boot/" + ns + "|1|2", "1#" + host + "/" + boot + "/another-ns|1|2"} {
		_, known = Lives(o)
		assert.False(t, known, o)
	}
	cmd := exec.Command("sleep", "60")
	require.NoError(t, cmd.Start())
	owner := fmt.Sprintf("1#%s|%d|%s", thisPlace(), cmd.Process.Pid, processStart(cmd.Process.Pid))
	assert.False(t, Dead(owner))
	assert.True(t, Dead(owner+"1"), "the id was used again")
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait() // killed
	assert.True(t, Dead(owner))
}
