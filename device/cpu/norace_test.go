//go:build !race

package cpu

const raceDetector = false
