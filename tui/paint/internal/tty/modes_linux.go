package tty

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// controlChars is how many control characters stty -g writes.
const controlChars = 32

// Modes returns the modes of a terminal as stty -g writes them: the flags
// and the control characters in hexadecimal. A stty that refuses it makes the
// guardian fall back to sane modes.
func Modes(tty *os.File) string {
	modes, err := unix.IoctlGetTermios(Fd(tty), unix.TCGETS)
	if err != nil {
		return "sane"
	}
	words := make([]string, 0, 4+controlChars)
	for _, flags := range []uint32{modes.Iflag, modes.Oflag, modes.Cflag, modes.Lflag} {
		words = append(words, strconv.FormatUint(uint64(flags), 16))
	}
	for i := range controlChars {
		c := byte(0)
		if i < len(modes.Cc) {
			c = modes.Cc[i]
		}
		words = append(words, strconv.FormatUint(uint64(c), 16))
	}
	return strings.Join(words, ":")
}
