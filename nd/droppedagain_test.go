//go:build !race

package nd_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/ndgrad/ndgrad/device/cpu"
	"github.com/ndgrad/ndgrad/internal/lending"
	"github.com/ndgrad/ndgrad/nd/ops"
)

func init() { lending.Dearest = time.Hour } // else nothing is lent where collections are slow

// TestDroppedBlocksServeAgain holds that a loop that drops large arrays lives on few blocks.
func TestDroppedBlocksServeAgain(t *testing.T) {
	for _, procs := range []int{1, 2} {
		func() {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			x := lentArray(1)
			const turns = 100
			before, _ := cpu.BlocksMade()
			for range turns {
				ops.Negative(x)
			}
			if after, _ := cpu.BlocksMade(); after-before > turns/2 {
				t.Errorf("GOMAXPROCS %d: %d calls make %d blocks", procs, turns, after-before)
			}
			x.Release()
		}()
	}
}
