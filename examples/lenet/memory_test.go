//go:build !race

// The race detector drops what sync.Pool keeps.

package main

import (
	"runtime"
	"strings"
	"testing"
)

// A steady update makes next to no new memory for arrays: what the step before it gave back serves again.
func TestUpdatesReuseMemory(t *testing.T) {
	x, labels, _, _, err := images("")
	if err != nil {
		t.Fatal(err)
	}
	tr := newTraining(x, labels, 20, 1)
	const updates = 100
	train := func() {
		for range updates {
			if err := tr.update(); err != nil {
				t.Fatal(err)
			}
		}
	}
	train()
	defer func(rate int) { runtime.MemProfileRate = rate }(runtime.MemProfileRate)
	runtime.MemProfileRate = 1
	before := arrayMemory(t)
	train()
	got := (arrayMemory(t) - before) / updates
	if got > 64<<10 {
		t.Errorf("a steady update makes %d bytes of array memory", got)
	}
}

// arrayMemory is how many bytes the device has made for arrays, of what the runtime has noted.
func arrayMemory(t *testing.T) (bytes int64) {
	t.Helper()
	runtime.GC() // notes come with the end of a collection
	runtime.GC()
	records := make([]runtime.MemProfileRecord, 1<<16)
	n, ok := runtime.MemProfile(records, true)
	if !ok {
		t.Fatalf("%d records do not fit", n)
	}
	for _, r := range records[:n] {
		frames, ofArrays := runtime.CallersFrames(r.Stack()), false
		for more := true; more; {
			var f runtime.Frame
			f, more = frames.Next()
			ofArrays = ofArrays || strings.Contains(f.Function, "device/cpu/internal/memory.")
			if strings.Contains(f.Function, "floorArea") { // what is reserved once, so that collections are few
				ofArrays, more = false, false
			}
		}
		if ofArrays {
			bytes += r.AllocBytes
		}
	}
	return bytes
}
