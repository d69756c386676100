package assert

import (
	"runtime"
	"time"
)

// NoGoroutinesLeft counts the goroutines, and returns a function for the end of a test, which reports an error if there are more then. It
// gives those that are about to end a second.
//
//	defer assert.NoGoroutinesLeft(t)()
func NoGoroutinesLeft(t TB) func() {
	before := runtime.NumGoroutine()
	return func() {
		t.Helper()
		for range 100 {
			if runtime.NumGoroutine() <= before {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
	}
}
