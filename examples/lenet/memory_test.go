//go:build !race

// Under the race detector sync.Pool drops its contents.

package main

import (
	"runtime"
	"strings"
	"testing"
)

// A steady update allocates next to no memory for arrays: it reuses what the previous step released.
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
	var got int64
	for range 3 { // on a busy machine a GC cycle may find more blocks idle than it keeps
		before := arrayMemory(t)
		train()
		if got = (arrayMemory(t) - before) / updates; got <= 64<<10 {
			return
		}
	}
	t.Errorf("a steady update allocates %d bytes of array memory", got)
}

// arrayMemory returns the bytes that the device has allocated for arrays, as sampled by the runtime's memory profile.
func arrayMemory(t *testing.T) (bytes int64) {
	t.Helper()
	runtime.GC() // the profile is updated at the end of a GC cycle
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
			if strings.Contains(f.Function, "floorArea") { // reserved once, to make GC cycles rare
				ofArrays, more = false, false
			}
		}
		if ofArrays {
			bytes += r.AllocBytes
		}
	}
	return bytes
}
