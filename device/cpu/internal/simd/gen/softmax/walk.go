package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// routine describes an operation on the rows of arrays.
type routine struct {
	name   string
	doc    string
	arrays int // the number of input arrays, x and y
	values int // the number of values per row, v and w
	stores bool
	brings bool // prefetches dst, whether it is stored or not
	next   bool // prefetches the data that lies next elements after x
	sums   bool
	body   func(k vec.Kind, x [][]reg.VecPhysical, v, t []reg.VecPhysical)
}

// walk emits a routine: row by row, several vectors at once and then one by one.
type walk struct {
	k       vec.Kind
	r       routine
	name    string
	dst     reg.Register // each of these points to the start of the row
	arrays  []reg.Register
	pitches []reg.Register // in bytes; the pitch of dst is last
	values  []reg.Register
	sums    reg.Register
	rows, n reg.Register
	next    reg.Register    // the distance in bytes from x to the data to prefetch
	at      []reg.GPVirtual // dst last
	left    reg.GPVirtual

	vectors [][]reg.VecPhysical
	value   []reg.VecPhysical
	acc     []reg.VecPhysical
	temps   []reg.VecPhysical
}

var (
	arrayNames = []string{"x", "y"}
	valueNames = []string{"v", "w"}
)

func newWalk(k vec.Kind, r routine) *walk {
	w := &walk{k: k, r: r, name: r.name + k.Suffix(), left: GP64()}
	w.declare()
	w.share()
	return w
}

// declare emits the header of the routine.
func (w *walk) declare() {
	pointers, pitches := "", ""
	if w.dstThere() {
		pointers, pitches = "dst, ", ", pitchDst"
	}
	for i := range w.r.arrays {
		pointers += arrayNames[i] + ", "
		pitches += ", pitch" + arrayNames[i]
	}
	for i := range w.r.values {
		pointers += valueNames[i] + ", "
	}
	if w.r.sums {
		pointers += "sums, "
	}
	if w.r.next {
		pitches += ", next"
	}
	TEXT(w.name, NOSPLIT, fmt.Sprintf("func(%s *%s, rows, n%s int)", pointers[:len(pointers)-2], w.k.Elem(), pitches))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s %s, for rows of n elements, n > 0, that begin a pitch apart, in elements.", w.name, w.r.doc))
	load := func(name string) reg.Register { return Load(Param(name), GP64()) }
	pitch := func(name string) {
		p := load("pitch" + name)
		SHLQ(operand.Imm(w.shift()), p)
		w.pitches = append(w.pitches, p)
	}
	for i := range w.r.arrays {
		w.arrays = append(w.arrays, load(arrayNames[i]))
		pitch(arrayNames[i])
		w.at = append(w.at, GP64())
	}
	if w.dstThere() {
		w.dst = load("dst")
		pitch("Dst")
		w.at = append(w.at, GP64())
	}
	for i := range w.r.values {
		w.values = append(w.values, load(valueNames[i]))
	}
	if w.r.sums {
		w.sums = load("sums")
	}
	w.rows, w.n = load("rows"), load("n")
	if w.r.next {
		w.next = load("next")
		SHLQ(operand.Imm(w.shift()), w.next)
	}
}

// dstThere reports whether the routine has a dst parameter.
func (w *walk) dstThere() bool { return w.r.stores || w.r.brings }

func (w *walk) shift() uint64 {
	if w.k.Double {
		return 3
	}
	return 2
}

// share assigns the vector registers. The last one is reserved for the mask of a tail.
func (w *walk) share() {
	next := 0
	take := func(n int) (r []reg.VecPhysical) {
		for range n {
			r = append(r, w.k.Physical(next))
			next++
		}
		return r
	}
	together, accumulators := 2, 2
	if w.k.Wide {
		together, accumulators = 8/w.r.arrays, 4
	}
	for range w.r.arrays {
		w.vectors = append(w.vectors, take(together))
	}
	w.value = take(w.r.values)
	if w.r.sums {
		w.acc = take(accumulators)
	}
	w.temps = take(w.k.Registers() - 1 - next)
}

func (w *walk) emit() {
	Label("row")
	for i, a := range w.arrays {
		MOVQ(a, w.at[i])
	}
	if w.dstThere() {
		MOVQ(w.dst, w.at[w.r.arrays])
	}
	for i, v := range w.values {
		w.k.Splat(operand.Mem{Base: v}, w.value[i])
	}
	for _, a := range w.acc {
		w.k.Zero(a)
	}
	MOVQ(w.n, w.left)
	for together := len(w.vectors[0]); together > 1; together /= 2 {
		several, after := fmt.Sprintf("by%d", together), fmt.Sprintf("after%d", together)
		CMPQ(w.left, operand.I32(together*w.k.Lanes()))
		JL(operand.LabelRef(after))
		Label(several)
		w.several(together)
		SUBQ(operand.U32(together*w.k.Lanes()), w.left)
		CMPQ(w.left, operand.I32(together*w.k.Lanes()))
		JGE(operand.LabelRef(several))
		Label(after)
	}
	TESTQ(w.left, w.left)
	JZ(operand.LabelRef("end"))
	Label("single")
	w.single()
	SUBQ(operand.Imm(uint64(w.k.Lanes())), w.left)
	JG(operand.LabelRef("single"))
	Label("end")
	if w.r.sums {
		w.total()
		ADDQ(operand.Imm(uint64(w.k.Size())), w.sums)
	}
	for i := range w.arrays {
		ADDQ(w.pitches[i], w.arrays[i])
	}
	if w.dstThere() {
		ADDQ(w.pitches[w.r.arrays], w.dst)
	}
	for _, v := range w.values {
		ADDQ(operand.Imm(uint64(w.k.Size())), v)
	}
	DECQ(w.rows)
	JNZ(operand.LabelRef("row"))
	vec.Leave()
}

// several emits the computation of n vectors.
func (w *walk) several(n int) {
	var x [][]reg.VecPhysical
	for i, v := range w.vectors {
		for j, r := range v[:n] {
			w.k.Load(operand.Mem{Base: w.at[i], Disp: j * w.k.Bytes()}, r)
		}
		x = append(x, v[:n])
	}
	if w.r.brings {
		w.bring(n)
	}
	w.r.body(w.k, x, w.value, w.temps)
	for j, r := range x[0] {
		if w.r.stores {
			w.k.Store(r, operand.Mem{Base: w.at[w.r.arrays], Disp: j * w.k.Bytes()})
		}
		if w.r.sums {
			acc := w.acc[j%len(w.acc)]
			w.k.Add(r, acc, acc)
		}
	}
	w.advance(n)
}

// bring prefetches as many bytes as the given number of vectors has. If the routine stores dst, the prefetch of dst is
// far enough ahead of the stores.
func (w *walk) bring(vectors int) {
	ahead := 0
	if w.r.stores {
		ahead = 1024
	}
	for at := 0; at < vectors*w.k.Bytes(); at += 64 {
		PREFETCHT0(operand.Mem{Base: w.at[w.r.arrays], Disp: ahead + at})
		if w.r.next {
			PREFETCHT1(operand.Mem{Base: w.at[0], Index: w.next, Scale: 1, Disp: at})
		}
	}
}

func (w *walk) advance(vectors int) {
	for _, p := range w.at {
		ADDQ(operand.U32(vectors*w.k.Bytes()), p)
	}
}

// single emits the computation of the rest, up to one vector.
func (w *walk) single() {
	lanes, many := GP64(), GP64()
	MOVQ(operand.U64(w.k.Lanes()), many)
	MOVQ(w.left, lanes)
	CMPQ(lanes, many)
	CMOVQGT(many, lanes)
	tail := w.k.Tail(lanes)
	var x [][]reg.VecPhysical
	for i, v := range w.vectors {
		tail.LoadZero(operand.Mem{Base: w.at[i]}, v[0])
		x = append(x, v[:1])
	}
	w.r.body(w.k, x, w.value, w.temps)
	r := w.vectors[0][0]
	if w.r.stores {
		tail.Store(r, operand.Mem{Base: w.at[w.r.arrays]})
	}
	if w.r.sums {
		tail.Keep(r)
		w.k.Add(r, w.acc[0], w.acc[0])
	}
	w.advance(1)
}

// total stores the sum of the accumulators.
func (w *walk) total() {
	k := w.k
	for n := len(w.acc); n > 1; n /= 2 {
		for i := range n / 2 {
			k.Add(w.acc[i+n/2], w.acc[i], w.acc[i])
		}
	}
	sum, temp := k.Reg(), k.Reg()
	k.Move(w.acc[0], sum)
	total := k.Sum(sum, temp)
	if k.Double {
		VMOVSD(total, operand.Mem{Base: w.sums})
	} else {
		VMOVSS(total, operand.Mem{Base: w.sums})
	}
}
