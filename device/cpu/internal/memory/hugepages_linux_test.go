package memory

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestHugeUnitsAreCoveredByHalf(t *testing.T) {
	const half = hugePage / 2
	for _, c := range []struct{ at, bytes, from, to uintptr }{
		{0, hugePage, 0, hugePage},
		{0, half, 0, hugePage},
		{half, half, 0, hugePage},
		{64, 4 * hugePage, 0, 4 * hugePage},
		{half - 64, 2*hugePage + 128, 0, 3 * hugePage},
		{half + 64, 2*hugePage - 128, hugePage, 2 * hugePage},
		{5*hugePage + half + 64, half, 6 * hugePage, 6 * hugePage},
	} {
		from, to := hugeUnits(c.at, c.bytes)
		if from != c.from || to != c.to {
			t.Errorf("a block of %d bytes at %d: units from %d to %d, want %d to %d", c.bytes, c.at, from, to, c.from, c.to)
		}
	}
}

// TestLargeBlocksHaveHugePages reads from the kernel's list of mappings which of them are advised.
func TestLargeBlocksHaveHugePages(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage/enabled"); err != nil || os.Getpagesize() != 4096 {
		t.Skip("the kernel has no transparent huge pages of 2 MiB")
	}
	m := Alloc(16 << 20)
	defer Free(m)
	middle := uintptr(m.Handle) + 8<<20
	list, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
	}
	inside := false
	for line := range strings.Lines(string(list)) {
		var from, to uintptr
		if n, _ := fmt.Sscanf(line, "%x-%x ", &from, &to); n == 2 {
			inside = from <= middle && middle < to
		}
		if flags, ok := strings.CutPrefix(line, "VmFlags:"); ok && inside {
			if !strings.Contains(flags, " hg") {
				t.Errorf("the mapping of a block of 16 MiB has the flags %s", flags)
			}
			return
		}
	}
	t.Skip("the kernel does not list flags")
}
