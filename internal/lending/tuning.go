//go:build !storm

package lending

import "time"

const (
	startAfter = 4 << 20 // new bytes: a program that makes less is left alone

	// credit is how many new bytes there are between two collections that are asked for: more goes through memory that no
	// cache holds, less collects too often. Beyond patience whoever can use what comes back waits for a collection.
	credit   = 6 << 20
	patience = 3 * credit
	// apart is how many times its cost passes between two collections.
	apart = 6

	waitForCollections = false
)

// Dearest is what a collection may cost to be asked for. It is a variable for tests, which hold on slow machines too.
var Dearest = time.Millisecond
