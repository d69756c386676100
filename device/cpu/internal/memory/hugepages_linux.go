package memory

import (
	"os"
	"syscall"
	"unsafe"
)

// hugePage is the size of a huge page, if ordinary pages have 4 KiB.
const hugePage = 2 << 20

// Blocks of at least leastAdvised bytes lie on huge pages once the program has made manyBytes of blocks.
const (
	leastAdvised = 256 << 10
	manyBytes    = 32 << 20
)

// adviseHugePages asks the kernel for huge pages under a block that will be written. The kernel gives them only if this is
// asked for, in the usual setting of /sys/kernel/mm/transparent_hugepage/enabled (madvise). They save address
// translations, which take a fifth of the time of kernels that stream through memory.
//
// The kernel makes a huge page resident as a whole. So a small program gets them only where a block covers at least half of
// them: resident memory cannot grow by more than the other halves. A program with many blocks gets them under all large
// blocks, whose neighbours are mostly other blocks (with smaller ones, resident memory of a program grew by a sixth). The advice stays with the addresses when the runtime returns their
// memory to the system. It is no error if the kernel refuses it.
func adviseHugePages(block unsafe.Pointer, bytes int) {
	if bytes < leastAdvised || os.Getpagesize() != 4096 {
		return
	}
	from, to := hugeUnits(uintptr(block), uintptr(bytes))
	if newBlocks.bytes.Load() >= manyBytes {
		from, to = uintptr(block)&^(hugePage-1), (uintptr(block)+uintptr(bytes)+hugePage-1)&^(hugePage-1)
	}
	if from < to {
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_HUGEPAGE)
	}
}

// hugeUnits returns the range of aligned huge pages that lie in a block by at least half.
func hugeUnits(at, bytes uintptr) (from, to uintptr) {
	return (at + hugePage/2 - 1) &^ (hugePage - 1), (at + bytes + hugePage/2) &^ (hugePage - 1)
}
