//go:build storm

package lending

import (
	"os"
	"sync/atomic"
	"time"
)

// Under the tag storm a goroutine runs the GC all the time, so that every dropped block comes back at once: see
// testing/storm.
func init() {
	go func() {
		for {
			collectAnyway()
			time.Sleep(100 * time.Microsecond)
		}
	}()
}

// early makes the store treat some loans as dropped that are not, if NDGRAD_STORM is "early". The tests under the tag
// must fail then; otherwise they would not detect a block that is handed out too early.
func early() bool { return planted && looks.Add(1)%500 == 0 }

var (
	planted = os.Getenv("NDGRAD_STORM") == "early"
	looks   atomic.Int64
)
