//go:build !windows

package once

import (
	"errors"
	"os"
	"syscall"
)

// tryLock takes the lock of a file unless another process has it. It ends with the
// file's last handle, also where the process is killed (flock(2)).
func tryLock(f *os.File) (taken bool, err error) {
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, syscall.EINTR) {
		return false, nil
	}
	return err == nil, err
}
