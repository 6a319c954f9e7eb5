package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// hangups are the SIGHUPs of this process. A daemon is told by one to read its
// files again; a program in a terminal, that the terminal is gone. Those that come
// while one is dealt with are one.
type hangups struct {
	heard <-chan os.Signal
	// terminal says that there was one, and nobody asked to outlive it (nohup).
	terminal bool
}

// hearHangups takes them from now until the process ends, and never gives them
// back: one in a storm that comes after the last reload would else end it before
// it has shut down (T46).
func hearHangups() hangups {
	h := hangups{terminal: inTerminal() && !signal.Ignored(syscall.SIGHUP)}
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGHUP)
	h.heard = c
	return h
}

// inTerminal reports that the process has a terminal. A terminal that hangs up is
// taken from all of its processes before they hear of it.
func inTerminal() bool {
	f, err := os.Open("/dev/tty")
	if err == nil {
		_ = f.Close()
	}
	return err == nil
}

// onHangup reloads at each SIGHUP until ctx ends; one that says that the terminal
// is gone ends the process instead.
func (r *reloader) onHangup(ctx context.Context, h hangups, end func()) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.heard:
			if h.terminal && !inTerminal() {
				end()
				return
			}
			_, _ = r.reload(ctx, "SIGHUP", false) // what became of it is said
		}
	}
}
