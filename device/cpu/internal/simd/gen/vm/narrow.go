package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

type instruction = func(...operand.Op)

// narrowMoves emits loads and stores of elements that are narrower than lanes. Bools become masks: lanes of all ones or
// 0. The 16-bit floats, and float32 in 64-bit lanes, become floats as wide as lanes. Integers are extended with their
// sign or with zeros.
func narrowMoves(k vec.Kind) {
	loads(k)
	stores(k)
}

// load emits the loads of a stream of elements of a size: for whole vectors, and for a tail, where masked is the
// instruction that clears the other lanes.
func load(k vec.Kind, name string, size int, whole, masked instruction, narrow bool, after func(a reg.VecPhysical, temps []reg.VecPhysical)) {
	emit := func(name string, tail bool) {
		handler(k, name, func(acc, temps []reg.VecPhysical) {
			MOVL(first, reg.EAX)
			m := stream(size, reg.RAX)
			for i, a := range acc {
				dst := part(a, k.Bytes())
				if narrow {
					dst = part(a, k.Bytes()/2)
				}
				if tail {
					masked(at(k, m, i, size), tailMask(i), dst)
				} else {
					whole(at(k, m, i, size), dst)
				}
				if after != nil {
					after(a, temps)
				}
			}
		})
	}
	emit(name, false)
	if k.Wide {
		emit(name+".tail", true)
	}
}

// three adapts functions of three operands.
func three(f func(a, b, c operand.Op)) instruction {
	return func(ops ...operand.Op) { f(ops[0], ops[1], ops[2]) }
}

func loads(k vec.Kind) {
	toMask := func(a reg.VecPhysical, temps []reg.VecPhysical) {
		k.Zero(temps[0])
		k.SubInt(a, temps[0], a)
	}
	if k.Double {
		load(k, "loadbool", 1, VPMOVZXBQ, three(VPMOVZXBQ_Z), false, toMask)
		load(k, "loadi8", 1, VPMOVSXBQ, three(VPMOVSXBQ_Z), false, nil)
		load(k, "loadu8", 1, VPMOVZXBQ, three(VPMOVZXBQ_Z), false, nil)
		load(k, "loadi16", 2, VPMOVSXWQ, three(VPMOVSXWQ_Z), false, nil)
		load(k, "loadu16", 2, VPMOVZXWQ, three(VPMOVZXWQ_Z), false, nil)
		load(k, "loadi32", 4, VPMOVSXDQ, three(VPMOVSXDQ_Z), false, nil)
		load(k, "loadu32", 4, VPMOVZXDQ, three(VPMOVZXDQ_Z), false, nil)
		load(k, "loadf32", 4, VCVTPS2PD, three(VCVTPS2PD_Z), false, nil)
		half := func(a reg.Register) reg.Register { return part(a.(reg.VecPhysical), k.Bytes()/2) }
		load(k, "loadf16", 2, VCVTPH2PS, three(VCVTPH2PS_Z), true, func(a reg.VecPhysical, _ []reg.VecPhysical) {
			VCVTPS2PD(half(a), a)
		})
		load(k, "loadbf16", 2, VPMOVZXWD, three(VPMOVZXWD_Z), true, func(a reg.VecPhysical, _ []reg.VecPhysical) {
			VPSLLD(operand.Imm(16), half(a), half(a))
			VCVTPS2PD(half(a), a)
		})
		return
	}
	load(k, "loadbool", 1, VPMOVZXBD, three(VPMOVZXBD_Z), false, toMask)
	load(k, "loadi8", 1, VPMOVSXBD, three(VPMOVSXBD_Z), false, nil)
	load(k, "loadu8", 1, VPMOVZXBD, three(VPMOVZXBD_Z), false, nil)
	load(k, "loadi16", 2, VPMOVSXWD, three(VPMOVSXWD_Z), false, nil)
	load(k, "loadu16", 2, VPMOVZXWD, three(VPMOVZXWD_Z), false, nil)
	load(k, "loadf16", 2, VCVTPH2PS, three(VCVTPH2PS_Z), false, nil)
	load(k, "loadbf16", 2, VPMOVZXWD, three(VPMOVZXWD_Z), false, func(a reg.VecPhysical, _ []reg.VecPhysical) {
		VPSLLD(operand.Imm(16), a, a)
	})
}

// store emits the stores of elements of a size. With AVX-512 put stores a vector under a mask, or without one if the
// mask is nil. With AVX2 all vectors are packed into fewer registers and stored together.
func store(k vec.Kind, name string, size int, put func(a reg.VecPhysical, temps []reg.VecPhysical, m operand.Mem, mask operand.Op),
	pack func(acc, temps []reg.VecPhysical, m operand.Mem)) {
	emit := func(name string, tail bool) {
		handler(k, name, func(acc, temps []reg.VecPhysical) {
			MOVL(first, reg.EAX)
			m := stream(size, reg.RAX)
			if !k.Wide {
				pack(acc, temps, m)
				return
			}
			for i, a := range acc {
				var mask operand.Op
				if tail {
					mask = tailMask(i)
				}
				put(a, temps, at(k, m, i, size), mask)
			}
		})
	}
	emit(name, false)
	if k.Wide {
		emit(name+".tail", true)
	}
}

// under calls an instruction with a mask before the destination, if there is a mask.
func under(f instruction, mask, dst operand.Op, sources ...operand.Op) {
	if mask != nil {
		sources = append(sources, mask)
	}
	f(append(sources, dst)...)
}

func stores(k vec.Kind) {
	if k.Double {
		store(k, "storebool", 1, func(a reg.VecPhysical, t []reg.VecPhysical, m operand.Mem, mask operand.Op) {
			VPSRLQ(operand.Imm(63), a, t[0])
			under(VPMOVQB, mask, m, t[0])
		}, packMasks64)
		store(k, "storei32", 4, func(a reg.VecPhysical, _ []reg.VecPhysical, m operand.Mem, mask operand.Op) {
			under(VPMOVQD, mask, m, a)
		}, func(acc, temps []reg.VecPhysical, m operand.Mem) {
			for i, a := range acc {
				VEXTRACTI128(operand.Imm(1), a, temps[0].AsX())
				VSHUFPS(operand.U8(0x88), temps[0].AsX(), a.AsX(), temps[0].AsX())
				VMOVUPS(temps[0].AsX(), at(k, m, i, 4))
			}
		})
		store(k, "storef32", 4, func(a reg.VecPhysical, t []reg.VecPhysical, m operand.Mem, mask operand.Op) {
			VCVTPD2PS(a, t[0].AsY())
			under(VMOVUPS, mask, m, t[0].AsY())
		}, func(acc, temps []reg.VecPhysical, m operand.Mem) {
			for i, a := range acc {
				VCVTPD2PSY(a, temps[0].AsX())
				VMOVUPS(temps[0].AsX(), at(k, m, i, 4))
			}
		})
		return
	}
	store(k, "storebool", 1, func(a reg.VecPhysical, t []reg.VecPhysical, m operand.Mem, mask operand.Op) {
		VPSRLD(operand.Imm(31), a, t[0])
		under(VPMOVDB, mask, m, t[0])
	}, func(acc, temps []reg.VecPhysical, m operand.Mem) {
		t := temps
		VPACKSSDW(acc[1], acc[0], t[0])
		VPACKSSDW(acc[3], acc[2], t[1])
		VPACKSSWB(t[1], t[0], t[0])
		VPABSB(t[0], t[0])
		unscramble(t)
		VMOVUPS(t[0], m)
	})
	store(k, "storei8", 1, func(a reg.VecPhysical, _ []reg.VecPhysical, m operand.Mem, mask operand.Op) {
		under(VPMOVDB, mask, m, a)
	}, func(acc, temps []reg.VecPhysical, m operand.Mem) {
		t := temps
		VPBROADCASTD(k.Bits(0xff), t[4])
		for i, a := range acc {
			VPAND(t[4], a, t[i])
		}
		VPACKUSDW(t[1], t[0], t[0])
		VPACKUSDW(t[3], t[2], t[1])
		VPACKUSWB(t[1], t[0], t[0])
		unscramble(t)
		VMOVUPS(t[0], m)
	})
	store(k, "storei16", 2, func(a reg.VecPhysical, _ []reg.VecPhysical, m operand.Mem, mask operand.Op) {
		under(VPMOVDW, mask, m, a)
	}, func(acc, temps []reg.VecPhysical, m operand.Mem) { packWords(k, acc, temps, m) })
	store(k, "storef16", 2, func(a reg.VecPhysical, _ []reg.VecPhysical, m operand.Mem, mask operand.Op) {
		under(VCVTPS2PH, mask, m, operand.Imm(0), a)
	}, func(acc, temps []reg.VecPhysical, m operand.Mem) {
		for i, a := range acc {
			VCVTPS2PH(operand.Imm(0), a, at(k, m, i, 2))
		}
	})
	store(k, "storebf16", 2, func(a reg.VecPhysical, t []reg.VecPhysical, m operand.Mem, mask operand.Op) {
		toBFloat16(k, a, t)
		under(VPMOVDW, mask, m, t[0])
	}, func(acc, temps []reg.VecPhysical, m operand.Mem) {
		for _, a := range acc {
			toBFloat16(k, a, temps)
			VMOVAPS(temps[0], a)
		}
		packWords(k, acc, temps, m)
		// The accumulator holds the rounded float32 numbers again: no instruction reads a value after its store.
	})
}

// toBFloat16 rounds the numbers of a to the nearest bfloat16 (ties to even), into the low halves of t[0]. NaN keeps its sign, and its
// payload's upper bits.
func toBFloat16(k vec.Kind, a reg.VecPhysical, t []reg.VecPhysical) {
	VPSRLD(operand.Imm(16), a, t[1])
	k.Splat(k.Bits(1), t[2])
	k.And(t[2], t[1], t[0])
	k.Splat(k.Bits(0x7fff), t[2])
	VPADDD(t[2], t[0], t[0])
	VPADDD(a, t[0], t[0])
	VPSRLD(operand.Imm(16), t[0], t[0])
	k.Splat(k.Bits(0x40), t[2])
	k.Or(t[2], t[1], t[1]) // NaN
	k.Where(vec.Unordered, a, a, t[1], t[0], t[2])
}

// packWords stores the low halves of 4 vectors of 32-bit lanes.
func packWords(k vec.Kind, acc, t []reg.VecPhysical, m operand.Mem) {
	VPBROADCASTD(k.Bits(0xffff), t[4])
	for i, a := range acc {
		VPAND(t[4], a, t[i])
	}
	VPACKUSDW(t[1], t[0], t[0])
	VPERMQ(operand.U8(0xd8), t[0], t[0])
	VMOVUPS(t[0], m)
	VPACKUSDW(t[3], t[2], t[2])
	VPERMQ(operand.U8(0xd8), t[2], t[2])
	VMOVUPS(t[2], m.Offset(32))
}

// unscramble reorders the bytes of t[0], which were packed twice from 32-bit lanes.
func unscramble(t []reg.VecPhysical) {
	VMOVDQU(scrambled(), t[5])
	VPERMD(t[0], t[5], t[0])
}

var scrambledData *operand.Mem

func scrambled() operand.Mem {
	if scrambledData == nil {
		m := GLOBL("scrambled", RODATA|NOPTR)
		for i, v := range []uint32{0, 4, 1, 5, 2, 6, 3, 7} {
			DATA(4*i, operand.U32(v))
		}
		scrambledData = &m
	}
	return *scrambledData
}

// packMasks64 stores the masks of 4 vectors of 64-bit lanes as bools.
func packMasks64(acc, t []reg.VecPhysical, m operand.Mem) {
	VSHUFPS(operand.U8(0x88), acc[1], acc[0], t[0])
	VSHUFPS(operand.U8(0x88), acc[3], acc[2], t[1])
	VPACKSSDW(t[1], t[0], t[0])
	VEXTRACTI128(operand.Imm(1), t[0], t[1].AsX())
	VPACKSSWB(t[1].AsX(), t[0].AsX(), t[0].AsX())
	VPABSB(t[0].AsX(), t[0].AsX())
	VPSRLDQ(operand.Imm(8), t[0].AsX(), t[1].AsX())
	VPUNPCKLWD(t[1].AsX(), t[0].AsX(), t[0].AsX())
	VMOVUPS(t[0].AsX(), m)
}
