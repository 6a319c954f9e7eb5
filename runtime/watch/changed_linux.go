package watch

import (
	"os"
	"syscall"
	"time"
)

// changedAt is when a file itself was changed, its contents or anything else about it
// (st_ctim, inode(7)); zero where that is not known.
func changedAt(info os.FileInfo) time.Time {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(s.Ctim.Unix())
	}
	return time.Time{}
}
