//go:build !race

package launchtest

// Race says whether tests run under the race detector.
const Race = false
