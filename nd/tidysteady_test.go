//go:build !race

package nd_test

import (
	"runtime"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// TestTidyTakesNoMemory: a steady loop allocates headers only, two or three of them for the scope; an outer scope does
// not grow by arrays that were made and released in it. A deferred result allocates what describes it.
func TestTidyTakesNoMemory(t *testing.T) {
	x := nd.Full([]int{1000}, 1.0)
	g, h := x, x
	ignore := func(*nd.Array) {}
	f := func(x *nd.Array) *nd.Array { return ops.Minimum(cube(x, ignore), x) }
	all := func() { g, h = ops.Multiply(f(g), h), f(h) }
	steps := map[string]func(){
		"Tidy":    func() { nd.Tidy(x, f).Release() },
		"TidyAll": func() { nd.TidyAll(all, &g, &h) },
	}
	bare := testing.AllocsPerRun(100, func() { f(x) })
	for what, most := range map[string]float64{"Tidy": bare + 1, "TidyAll": 2*bare + 1 + 4} {
		for range 3 {
			steps[what]()
		}
		made, _ := cpu.BlocksMade()
		most += 2 * float64(len(nd.Explain(steps[what]).Total().Funcs)) // results of this size are deferred only under the tag late
		if n := testing.AllocsPerRun(100, steps[what]); n > most {
			t.Errorf("%s: %v allocations per step, want %v", what, n, most)
		}
		if now, _ := cpu.BlocksMade(); now-made > 20 { // a few, because the GC may clear a pool
			t.Errorf("%s: %d blocks were allocated", what, now-made)
		}
	}
	nd.Tidy(x, func(x *nd.Array) *nd.Array {
		var before, after runtime.MemStats
		y := ops.Absolute(x)
		for i := range 5000 {
			if i == 100 {
				runtime.GC()
				runtime.ReadMemStats(&before)
			}
			nd.TidyAll(func() { y = ops.Absolute(y) }, &y)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		if after.HeapObjects > before.HeapObjects+2000 {
			t.Errorf("%d objects are held after 5000 scopes in a scope", after.HeapObjects-before.HeapObjects)
		}
		return nil
	})
}
