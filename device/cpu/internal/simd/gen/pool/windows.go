package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// combination is the operation of a routine over windows.
type combination int

const (
	sums combination = iota
	largest
	largestAt // also stores its position
)

var combinations = map[combination]string{sums: "sums", largest: "largest", largestAt: "largestAt"}

var strides = map[int]string{anyStride: "Any", 1: "1", 2: "2"}

// windows emits the routines that combine the taps of one window per lane.
func windows() {
	for _, k := range vec.Kinds {
		for _, c := range []combination{sums, largest, largestAt} {
			for _, stride := range []int{1, 2, anyStride} {
				window(k, c, stride)
			}
		}
	}
}

func window(k vec.Kind, c combination, stride int) {
	name := combinations[c] + strides[stride] + k.Suffix()
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, y *%s, at *uint8, x *%[1]s, start, stride int, taps *int, count int)", k.Elem()))
	Doc(fmt.Sprintf("%s combines count taps of each of n windows, %s: window i begins at x[start + i*stride].", name, amount(k)))
	n, y, base := Load(Param("n"), GP64()), Load(Param("y"), GP64()).(reg.GPVirtual), Load(Param("x"), GP64()).(reg.GPVirtual)
	start := Load(Param("start"), GP64()).(reg.GPVirtual)
	LEAQ(operand.Mem{Base: base, Index: start, Scale: uint8(k.Size())}, base)
	w := walk{Kind: k, combination: c, y: y, base: base, step: GP64()}
	if stride == anyStride {
		Load(Param("stride"), w.step)
	}
	if c == largestAt {
		w.at = Load(Param("at"), GP64()).(reg.GPVirtual)
	}
	w.taps, w.end = Load(Param("taps"), GP64()).(reg.GPVirtual), Load(Param("count"), GP64()).(reg.GPVirtual)
	SHLQ(operand.Imm(4), w.end)
	ADDQ(w.taps, w.end)
	w.load = newStrided(k, stride, w.step)
	if stride == anyStride {
		SHLQ(log2(k.Size()), w.step)
	} else {
		MOVQ(operand.U32(stride*k.Size()), w.step)
	}

	if k.Wide {
		CMPQ(n, operand.Imm(uint64(k.Lanes())))
		JLT(operand.LabelRef("short"))
	}
	advance := GP64()
	MOVQ(w.step, advance)
	SHLQ(log2(k.Lanes()), advance)
	Label("loop")
	w.block("tap")
	ADDQ(advance, base)
	ADDQ(operand.Imm(uint64(k.Bytes())), y)
	if c == largestAt {
		ADDQ(operand.Imm(uint64(k.Lanes())), w.at)
	}
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	CMPQ(n, operand.Imm(uint64(k.Lanes())))
	JGE(operand.LabelRef("loop"))
	TESTQ(n, n)
	JZ(operand.LabelRef("done"))
	SUBQ(operand.Imm(uint64(k.Lanes())), n) // the last vector ends with the last window: it starts n windows earlier
	LEAQ(operand.Mem{Base: y, Index: n, Scale: uint8(k.Size())}, y)
	if c == largestAt {
		ADDQ(n, w.at)
	}
	IMULQ(w.step, n)
	ADDQ(n, base)
	MOVQ(operand.U32(k.Lanes()), n)
	JMP(operand.LabelRef("loop"))
	Label("done")
	vec.Leave()
	if k.Wide {
		Label("short")
		w.load.only(n)
		w.block("shortTap")
		vec.Leave()
	}
}

func amount(k vec.Kind) string {
	if k.Wide {
		return "at least one"
	}
	return fmt.Sprintf("at least %d", k.Lanes())
}

func log2(n int) operand.Op {
	bits := 0
	for ; n > 1; n /= 2 {
		bits++
	}
	return operand.Imm(uint64(bits))
}

// walk emits a routine over windows.
type walk struct {
	vec.Kind
	combination
	load     *strided
	base, y  reg.GPVirtual
	at       reg.GPVirtual
	step     reg.GPVirtual // distance between windows in bytes
	taps     reg.GPVirtual
	end      reg.GPVirtual
	best     reg.VecVirtual
	position reg.VecVirtual
}

// block emits the windows of one vector.
func (w *walk) block(loop string) {
	w.best, w.position = w.Reg(), w.Reg()
	if w.combination == sums {
		w.Zero(w.best)
		eachTap(loop, w.taps, w.end, func(_, offset reg.Register) {
			w.Add(w.load.load(w.base, offset), w.best, w.best)
		})
		w.store()
		return
	}
	offset, rest := GP64(), GP64()
	MOVQ(operand.Mem{Base: w.taps}, offset)
	w.Move(w.load.load(w.base, offset), w.best)
	if w.combination == largestAt {
		w.splat(position(w.taps), nil, w.position)
	}
	LEAQ(operand.Mem{Base: w.taps, Disp: tapSize}, rest)
	eachTap(loop, rest, w.end, w.compare)
	w.store()
}

// The predicates of comparisons: neither operand is NaN; and not less or equal, which is also true for NaN.
const (
	ordered     = 0x07
	notLessSame = 0x16
)

// compare takes the elements of a tap that are larger than the largest so far, or that are the first NaN.
func (w *walk) compare(tap, offset reg.Register) {
	v := w.load.load(w.base, offset)
	if w.Wide {
		known, taken := K(), K()
		if w.Double {
			VCMPPD(operand.Imm(ordered), w.best, w.best, known)
			VCMPPD(operand.Imm(notLessSame), w.best, v, known, taken)
			VMOVAPD(v, taken, w.best)
		} else {
			VCMPPS(operand.Imm(ordered), w.best, w.best, known)
			VCMPPS(operand.Imm(notLessSame), w.best, v, known, taken)
			VMOVAPS(v, taken, w.best)
		}
		if w.combination == largestAt {
			w.splat(position(tap), taken, w.position)
		}
		return
	}
	known, taken := w.Reg(), w.Reg()
	if w.Double {
		VCMPPD(operand.Imm(ordered), w.best, w.best, known)
		VCMPPD(operand.Imm(notLessSame), w.best, v, taken)
		VANDPD(known, taken, taken)
		VBLENDVPD(taken, v, w.best, w.best)
	} else {
		VCMPPS(operand.Imm(ordered), w.best, w.best, known)
		VCMPPS(operand.Imm(notLessSame), w.best, v, taken)
		VANDPS(known, taken, taken)
		VBLENDVPS(taken, v, w.best, w.best)
	}
	if w.combination == largestAt {
		w.splat(position(tap), nil, known)
		w.blend(taken, known, w.position)
	}
}

func (w *walk) blend(taken, v, dst reg.VecVirtual) {
	if w.Double {
		VBLENDVPD(taken, v, dst, dst)
	} else {
		VBLENDVPS(taken, v, dst, dst)
	}
}

// splat broadcasts a position to the lanes of a mask.
func (w *walk) splat(m operand.Mem, taken reg.OpmaskVirtual, dst reg.VecVirtual) {
	ops := []operand.Op{m, dst}
	if taken != nil {
		ops = []operand.Op{m, taken, dst}
	}
	if w.Double {
		VPBROADCASTQ(ops...)
	} else {
		VPBROADCASTD(ops...)
	}
}

// store stores results, and positions as bytes.
func (w *walk) store() {
	lanes := w.load.lanes
	y := operand.Mem{Base: w.y}
	switch {
	case lanes == nil:
		w.Store(w.best, y)
	case w.Double:
		VMOVUPD(w.best, lanes, y)
	default:
		VMOVUPS(w.best, lanes, y)
	}
	if w.combination != largestAt {
		return
	}
	at := operand.Mem{Base: w.at}
	if w.Wide {
		ops := []operand.Op{w.position, at}
		if lanes != nil {
			ops = []operand.Op{w.position, lanes, at}
		}
		if w.Double {
			VPMOVQB(ops...)
		} else {
			VPMOVDB(ops...)
		}
		return
	}
	x, upper := w.position.AsX(), XMM()
	VEXTRACTI128(operand.Imm(1), w.position, upper)
	if w.Double {
		VSHUFPS(operand.Imm(0b10001000), upper, x, x)
		VPACKUSDW(x, x, x)
		VPACKUSWB(x, x, x)
		VMOVD(x, at)
		return
	}
	VPACKUSDW(upper, x, x)
	VPACKUSWB(x, x, x)
	VMOVQ(x, at)
}
