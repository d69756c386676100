package sweeps

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain has garbage collected less often than is usual: sweeps make millions of small arrays, and keep few.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
