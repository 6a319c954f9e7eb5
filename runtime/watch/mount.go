package watch

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Pinned reports that a file is mounted by itself, as by docker run -v
// ./c.yaml:/c.yaml or a subPath: whoever replaces it outside leaves the old one
// here, for ever. Only Linux tells; elsewhere it is false.
func Pinned(name string) bool {
	at, err := filepath.Abs(name)
	if err == nil {
		at, err = filepath.EvalSymlinks(at)
	}
	if err != nil {
		return false
	}
	f, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return false
	}
	defer f.Close()
	return mounted(f, at)
}

// mounted looks for a mount point in the table that proc_pid_mountinfo(5)
// describes: the fifth field, in which space, tab, newline and backslash are
// three octal digits.
func mounted(table io.Reader, at string) bool {
	for lines := bufio.NewScanner(table); lines.Scan(); {
		if fields := strings.Fields(lines.Text()); len(fields) > 4 && unescape(fields[4]) == at {
			return true
		}
	}
	return false
}

func unescape(field string) string {
	var b strings.Builder
	for i := 0; i < len(field); i++ {
		if field[i] == '\\' && i+3 < len(field) {
			if code, err := strconv.ParseUint(field[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(code))
				i += 3
				continue
			}
		}
		b.WriteByte(field[i])
	}
	return b.String()
}
