package login

import (
	"errors"
	"os/exec"
	"runtime"
)

// OpenBrowser asks the desktop to show an http or https address, and does not
// wait for it. The error says why it cannot; nothing else is lost then, a
// person can open the address.
func OpenBrowser(address string, getenv func(string) string) error {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	default:
		// Without a desktop xdg-open looks for a browser in text mode.
		if getenv("DISPLAY") == "" && getenv("WAYLAND_DISPLAY") == "" && getenv("BROWSER") == "" {
			return errors.New("there is no desktop here")
		}
	}
	c := exec.Command(name, args...)
	if err := c.Start(); err != nil {
		return err
	}
	return c.Process.Release()
}
