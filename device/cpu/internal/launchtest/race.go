//go:build race

package launchtest

// Race says that tests run under the race detector, where pools forget things at random.
const Race = true
