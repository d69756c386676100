//go:build race

package ops_test

// raceDetector says that tests run under the race detector, where pools forget things at random.
const raceDetector = true
