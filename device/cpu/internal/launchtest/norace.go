//go:build !race

package launchtest

const Race = false
