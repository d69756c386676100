//go:build storm

package lending

import (
	"os"
	"sync/atomic"
	"time"
)

// Under the tag storm all the time somebody collects, and whatever is forgotten comes back at once: see testing/storm.
func init() {
	go func() {
		for {
			collectAnyway()
			time.Sleep(100 * time.Microsecond)
		}
	}()
}

// early makes the store take one of some loans for forgotten that are not, if NDGRAD_STORM is "early": the tests that
// run under the tag have to fail then, or they would not find a block that is handed out too early.
func early() bool { return planted && looks.Add(1)%500 == 0 }

var (
	planted = os.Getenv("NDGRAD_STORM") == "early"
	looks   atomic.Int64
)
