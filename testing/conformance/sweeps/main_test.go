package sweeps

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain makes the GC run less often than usual: sweeps create millions of small arrays, and keep few.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
