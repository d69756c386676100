package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// fetchAhead is the distance in bytes between a stream's current elements and the lines that are prefetched. It is
// large enough for the memory latency, and smaller than the share of the first-level cache that each of several streams
// has.
const (
	fetchAhead = 2048
	lineSize   = 64
)

// moves emits loads and stores of elements as wide as lanes.
func moves(k vec.Kind) {
	for _, form := range []string{"stream", "slot"} {
		handler(k, "load."+form, func(acc, temps []reg.VecPhysical) {
			src := source(k, form, first, reg.RAX, temps[0])
			for i, a := range acc {
				k.Load(src(i), a)
			}
		})
	}
	handler(k, "load.scalar", func(acc, _ []reg.VecPhysical) {
		src := source(k, "scalar", first, reg.RAX, acc[0])
		for _, a := range acc[1:] {
			k.Move(src(0), a)
		}
	})
	for _, form := range []string{"stream", "slot"} {
		handler(k, "store."+form, func(acc, temps []reg.VecPhysical) {
			storeAccumulator(k, form, acc, temps)
		})
	}
	handler(k, "store.past", func(acc, temps []reg.VecPhysical) {
		dst := source(k, "stream", first, reg.RAX, temps[0])
		for i, a := range acc {
			k.Stream(a, dst(i))
		}
	})
	handler(k, "fetch.stream", func(_, _ []reg.VecPhysical) {
		MOVL(first, reg.RAX.As32())
		ahead := stream(k.Size(), reg.RAX).Offset(fetchAhead)
		for i := range depth * k.Bytes() / lineSize {
			PREFETCHT0(ahead.Offset(i * lineSize))
		}
	})
	predicated(k)
	if !k.Wide {
		return
	}
	handler(k, "fetch.tail", func(_, _ []reg.VecPhysical) {})
	handler(k, "load.tail", func(acc, temps []reg.VecPhysical) {
		src := source(k, "stream", first, reg.RAX, temps[0])
		for i, a := range acc {
			k.LoadMasked(src(i), tailMask(i), a)
		}
	})
	handler(k, "store.tail", func(acc, temps []reg.VecPhysical) { storeTail(k, acc, temps) })
}

// storeAccumulator stores the accumulator.
func storeAccumulator(k vec.Kind, form string, acc, temps []reg.VecPhysical) {
	dst := source(k, form, first, reg.RAX, temps[0])
	for i, a := range acc {
		k.Store(a, dst(i))
	}
}

// storeTail stores the valid lanes of the accumulator.
func storeTail(k vec.Kind, acc, temps []reg.VecPhysical) {
	dst := source(k, "stream", first, reg.RAX, temps[0])
	for i, a := range acc {
		k.StoreMasked(a, tailMask(i), dst(i))
	}
}

// predicated emits stores where a mask in a slot, the operand's second half, is true.
func predicated(k vec.Kind) {
	emit := func(name string, tail bool) {
		handler(k, name, func(acc, temps []reg.VecPhysical) {
			dst := source(k, "stream", first, reg.RAX, temps[0])
			mask := source(k, "slot", other, reg.RBX, temps[0])
			for i, a := range acc {
				k.Load(mask(i), temps[i])
				if !k.Wide {
					if k.Double {
						VMASKMOVPD(a, temps[i], dst(i))
					} else {
						VMASKMOVPS(a, temps[i], dst(i))
					}
					continue
				}
				if k.Double {
					VPMOVQ2M(temps[i], reg.K1)
				} else {
					VPMOVD2M(temps[i], reg.K1)
				}
				if tail {
					KANDW(reg.K1, tailMask(i), reg.K1)
				}
				k.StoreMasked(a, reg.K1, dst(i))
			}
		})
	}
	emit("storewhere", false)
	if k.Wide {
		emit("storewheretail", true)
	}
}

// part returns an x or y register by its size in bytes.
func part(r reg.VecPhysical, bytes int) reg.Register {
	switch {
	case bytes <= 16:
		return r.AsX()
	case bytes == 32:
		return r.AsY()
	}
	return r.AsZ()
}

// at returns vector i of a stream whose elements have another size than the lanes.
func at(k vec.Kind, m operand.Mem, i, size int) operand.Mem {
	return m.Offset(i * k.Lanes() * size)
}
