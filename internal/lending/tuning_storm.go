//go:build storm

package lending

import "time"

// Under the tag storm a GC cycle is requested every few new blocks, whatever it costs: see testing/storm.
const (
	startAfter = 0

	credit      = 64 << 10
	patience    = 2 * credit
	minInterval = 0

	waitForCollections = true
)

var MaxCost = time.Hour
