//go:build !race

package runtime

// raced says that the race detector is on, under which more is allocated.
const raced = false
