//go:build race

package ops_test

// raceDetector reports that tests run under the race detector, which makes pools drop items at random.
const raceDetector = true
