//go:build race

package cpu

// raceDetector says that tests run under the race detector, where pools forget things at random.
const raceDetector = true
