package isa

import "runtime"

// This file has all choices that depend on the maker of the processor and on its caches. They are made from what the processor
// says of itself, because timing at start-up is unreliable beside neighbours. They choose how memory is read and
// written, and never how numbers are combined: results do not depend on the machine.

// amd says that the processor is AMD's. All choices for other processors are those for Intel's, on which they were
// measured first.
var amd = detectAMD()

// TuneForAMD sets whether the choices are those for AMD's processors, and returns the previous setting. TuneForAMD is for
// tests, like Use.
func TuneForAMD(use bool) (old bool) {
	old, amd = amd, use
	return old
}

// arm says that the processor is one of arm64. These store whole lines without reading them first, and prefetch on their own.
const arm = runtime.GOARCH == "arm64"

// Streams reports whether results of the given number of bytes should be stored past the caches. all counts the bytes of
// all operands, with those of the results. On Zen 4 and 5, storing through the caches reads every line first, which costs from
// the size on at which the operands together no longer fit beside those of other cores. On Intel's processors the
// results alone decide.
func Streams(results, all int) bool {
	if arm {
		return false
	}
	if amd {
		return all > LastCache()/2
	}
	return results > min(LastCache()/2, 16<<20)
}

// The sizes in bytes from which results that are moved, not computed, are stored past the caches: they would not stay in the
// fast caches, and a memory line that is written as a whole need not be read first. Copies use twice the memory.
const (
	StreamedResult = 8 << 20
	StreamedCopy   = 4 << 20
)

// Prefetches reports whether kernels that stream through operands of the given total number of bytes should prefetch. Operands
// that fit in the second-level cache together need no prefetching: on Emerald Rapids it costs 3–25 % there.
// On Zen 4 prefetching costs 5–25 % at all sizes, if the operands lie on huge pages: the processor's own prefetching reaches
// across 4 KiB there.
func Prefetches(bytes int) bool { return !amd && !arm && bytes > NearCache() }

// PrefersPanels reports whether a factor of a product is copied to panels even if it stays in the caches. On arm64 the address of
// each row costs an instruction a step.
func PrefersPanels() bool { return arm }

// Gathers reports whether instructions that load elements at several indices are faster than loads of single elements.
// On Zen 4 and 5 they take 1.7 ns an element, single loads less than 1.
func Gathers() bool { return !amd && current == AVX512 }

// RootsInSteps reports whether square roots of float32 are computed in steps, with the same bits, instead of by the instruction: on
// Emerald Rapids that takes 14 cycles for 16 elements, the steps 7.
func RootsInSteps() bool { return !amd }

// PrefetchesPasses reports whether a kernel that goes through a number of bytes in passes, each over another part of
// them, should prefetch the next pass. Otherwise they are still in the second-level cache.
func PrefetchesPasses(bytes int) bool { return bytes > NearCache()/2 }

// DirectPasses reports whether passes over columns of a matrix, whose operands have a number of bytes, read and write them
// themselves, instead of copies of some columns. Copies read rows that follow each other, which takes less time from memory.
// Up to 16 MiB passes take 5–15 % less on Emerald Rapids; on Zen 4 they do up to 8 MiB.
func DirectPasses(bytes int) bool {
	if amd {
		return bytes <= 8<<20
	}
	return bytes <= 16<<20
}
