//go:build !storm

package lending

import "time"

const (
	startAfter = 4 << 20 // new bytes: a program that allocates less is left alone

	// credit is the number of new bytes between two requested GC cycles: a larger credit touches memory that no cache
	// holds, a smaller one runs the GC too often. Beyond patience new bytes, callers that can use returned blocks wait
	// for the GC cycle.
	credit   = 6 << 20
	patience = 3 * credit
	// minInterval is the minimal time between two GC cycles, as a multiple of the cost of a cycle.
	minInterval = 6

	waitForCollections = false
)

// MaxCost is the largest cost of a GC cycle that may be requested. It is a variable so that tests also pass on slow
// machines.
var MaxCost = time.Millisecond
