package memory

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"unsafe"
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
	if os.Getpagesize() != 4096 {
		t.Skip("the kernel has no transparent huge pages of 2 MiB")
	}
	control, err := syscall.Mmap(-1, 0, 4*hugePage, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skip(err)
	}
	defer syscall.Munmap(control)
	if err := syscall.Madvise(control, syscall.MADV_HUGEPAGE); err != nil || !strings.Contains(flagsOf(t, &control[0]), " hg") {
		t.Skip("the kernel, or an emulator of it, does not take advice or does not list it")
	}
	m := Alloc(16 << 20)
	defer Free(m)
	if flags := flagsOf(t, (*byte)(unsafe.Add(m.Handle, 8<<20))); !strings.Contains(flags, " hg") {
		t.Errorf("the mapping of a block of 16 MiB has the flags %s", flags)
	}
}

// flagsOf returns the flags of the mapping that an address is in; the kernel may not list them.
func flagsOf(t *testing.T, address *byte) string {
	list, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
	}
	inside := false
	for line := range strings.Lines(string(list)) {
		var from, to uintptr
		if n, _ := fmt.Sscanf(line, "%x-%x ", &from, &to); n == 2 {
			at := uintptr(unsafe.Pointer(address))
			inside = from <= at && at < to
		}
		if flags, ok := strings.CutPrefix(line, "VmFlags:"); ok && inside {
			return flags
		}
	}
	return ""
}
