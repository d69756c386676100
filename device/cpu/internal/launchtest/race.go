//go:build race

package launchtest

// Race says whether tests run under the race detector, where pools drop items at random.
const Race = true
