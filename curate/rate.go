package curate

import (
	"fmt"
	"time"
)

// Rate is a number of calls in a time.
type Rate struct {
	Calls int
	Per   time.Duration
}

// String writes the rate as a curation does: 10/m.
func (r Rate) String() string {
	unit := map[time.Duration]string{time.Second: "s", time.Minute: "m", time.Hour: "h", 24 * time.Hour: "d"}[r.Per]
	return fmt.Sprintf("%d/%s", r.Calls, unit)
}
