//go:build !race

package launchtest

// Race says that tests run under the race detector: not here.
const Race = false
