package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// points is the kind of vectors that hold one number of each of 16 points.
var points = vec.Kind{Wide: true}

// A PlaneTable has pairs in planeRow bytes for each row, and a bit for each point in planeMask bytes for each column. Weights of a
// corner take as much room as pairs of a row.
const (
	planeRow  = planeTableUpper / 2
	planeMask = planeRow / 32
)

// planeCorners emits the routine that finds the corners of points in a plane.
func planeCorners() {
	TEXT("planeCornersAVX512", NOSPLIT, "func(n int, table, plane *byte, rows, columns, weights, rowSlopes, columnSlopes *float32)")
	Pragma("noescape")
	Doc("planeCornersAVX512 finds the corners of n points, at least one, for a PlaneTable and PlaneWeights. It writes whole vectors.")
	k := points
	n, table, plane := Load(Param("n"), GP64()), Load(Param("table"), GP64()), Load(Param("plane"), GP64())
	rows, columns := Load(Param("rows"), GP64()), Load(Param("columns"), GP64())
	weights, upper := Load(Param("weights"), GP64()), GP64()
	rowSlopes, columnSlopes := Load(Param("rowSlopes"), GP64()), Load(Param("columnSlopes"), GP64())
	slopes := GP64()
	MOVQ(rowSlopes, slopes)
	LEAQ(operand.Mem{Base: table, Disp: planeTableUpper}, upper)
	zero, one, before := k.Reg(), k.SplatConst(1), k.SplatConst(-2)
	k.Zero(zero)
	given := func(at int) reg.VecVirtual {
		r := k.Reg()
		k.Splat(operand.Mem{Base: plane, Disp: at}, r)
		return r
	}
	lastRow, lastColumn, stride := given(planeNumbersLastRow), given(planeNumbersLastColumn), given(planeNumbersStride)
	limit, behindRow, behindColumn := k.Reg(), k.Reg(), k.SplatConst(2)
	k.Sub(one, lastColumn, limit)
	k.Add(lastRow, behindColumn, behindRow)
	k.Add(lastColumn, behindColumn, behindColumn)
	index := func(corner, last reg.VecVirtual) reg.VecVirtual {
		at := k.Reg()
		k.Max(zero, corner, at)
		k.Min(last, at, at)
		VCVTTPS2DQ(at, at)
		return at
	}
	inside := func(corner, last, v reg.VecVirtual) {
		k.Where(vec.Less, zero, corner, zero, v, nil)
		k.Where(vec.Greater, last, corner, zero, v, nil)
	}
	corners := func(location, last, behind reg.VecVirtual) (at, weights [2]reg.VecVirtual) {
		at, weights = [2]reg.VecVirtual{k.Reg(), k.Reg()}, [2]reg.VecVirtual{k.Reg(), k.Reg()}
		k.Min(location, behind, location) // NaN stays NaN
		k.Max(location, before, location)
		k.Round(vec.Down, location, at[0])
		k.Sub(at[0], location, weights[1])
		k.Add(one, at[0], at[1])
		k.Sub(weights[1], one, weights[0])
		for c, corner := range at {
			inside(corner, last, weights[c])
		}
		return at, weights
	}
	slopesOf := func(at [2]reg.VecVirtual, last reg.VecVirtual) (slopes [2]reg.VecVirtual) {
		for c, add := range []func(a, b, dst operand.Op){k.Sub, k.Add} {
			slopes[c] = k.Reg()
			k.Sub(at[c], at[c], slopes[c]) // 0 or NaN
			add(one, slopes[c], slopes[c])
			inside(at[c], last, slopes[c])
		}
		return slopes
	}
	products := func(ofRows, ofColumns [2]reg.VecVirtual, to reg.Register) {
		product := k.Reg()
		for c := range 4 {
			k.Mul(ofRows[c&1], ofColumns[c>>1], product)
			k.Store(product, operand.Mem{Base: to, Disp: c * planeRow})
		}
	}
	vectors := func(part string, load func(m operand.Op, r reg.Register)) {
		location := k.Reg()
		load(operand.Mem{Base: columns}, location)
		lefts, columnWeights := corners(location, lastColumn, behindColumn)
		for c, least := range []reg.VecVirtual{lastColumn, zero} {
			KMOVW(k.Compare(vec.GreaterEqual, least, lefts[0]).Mask(), operand.Mem{Base: upper, Disp: c * planeMask})
		}
		column := index(lefts[0], limit)
		load(operand.Mem{Base: rows}, location)
		downs, rowWeights := corners(location, lastRow, behindRow)
		for c, down := range downs {
			row := index(down, lastRow)
			VPMULLD(stride, row, row)
			k.AddInt(column, row, row)
			k.Store(row, operand.Mem{Base: table, Disp: planeTablePairs + c*planeRow})
		}
		products(rowWeights, columnWeights, weights)
		TESTQ(slopes, slopes)
		JZ(operand.LabelRef("without" + part))
		products(slopesOf(downs, lastRow), columnWeights, rowSlopes)
		products(rowWeights, slopesOf(lefts, lastColumn), columnSlopes)
		Label("without" + part)
	}
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	JL(operand.LabelRef("rest"))
	Label("points")
	vectors("", func(m operand.Op, r reg.Register) { k.Load(m, r) })
	for _, p := range []reg.Register{rows, columns, table, weights, rowSlopes, columnSlopes} {
		ADDQ(operand.Imm(uint64(k.Bytes())), p)
	}
	ADDQ(operand.Imm(uint64(k.Lanes()/8)), upper)
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	JGE(operand.LabelRef("points"))
	Label("rest")
	ADDQ(operand.Imm(uint64(k.Lanes())), n)
	JZ(operand.LabelRef("done"))
	vectors("OfRest", k.Tail(n).LoadZero)
	Label("done")
	vec.Leave()
}

// planeSums emits the routine that sums the corners of points in a plane.
func planeSums() {
	TEXT("planeSumsAVX512", NOSPLIT, "func(n int, table *byte, y *float32, plane *byte, weights *float32) (lost int)")
	Pragma("noescape")
	Doc("planeSumsAVX512 makes n sums, at least one, of the elements at the corners in a PlaneTable, which has whole vectors, times weights.",
		"lost is not 0 if a sum is NaN.")
	k := points
	n, y := Load(Param("n"), GP64()), Load(Param("y"), GP64())
	weights, lost := Load(Param("weights"), GP64()), GP64()
	XORQ(lost, lost)
	gathered(n, []reg.Register{y, weights}, func(values [4]reg.VecVirtual, tail *vec.Tail) {
		for c, value := range values {
			k.Mul(operand.Mem{Base: weights, Disp: c * planeRow}, value, value)
			if c > 0 {
				k.Add(value, values[0], values[0])
			}
		}
		if tail != nil {
			tail.Keep(values[0])
			tail.Store(values[0], operand.Mem{Base: y})
		} else {
			k.Store(values[0], operand.Mem{Base: y})
		}
		ORQ(k.Compare(vec.Unordered, values[0], values[0]).Bits().As64(), lost)
	})
	Store(lost, ReturnIndex(0))
	vec.Leave()
}

// planeProducts emits the routine that adds the corners of points in a plane, times numbers, to sums.
func planeProducts() {
	TEXT("planeProductsAVX512", NOSPLIT, "func(n int, table *byte, sums *float32, plane *byte, numbers *float32)")
	Pragma("noescape")
	Doc("planeProductsAVX512 adds n numbers, at least one, times the elements at the corners in a PlaneTable, which has whole vectors, to the",
		"sums of each corner.")
	k := points
	n, sums, numbers := Load(Param("n"), GP64()), Load(Param("sums"), GP64()), Load(Param("numbers"), GP64())
	gathered(n, []reg.Register{sums, numbers}, func(values [4]reg.VecVirtual, tail *vec.Tail) {
		number := k.Reg()
		if tail != nil {
			tail.LoadZero(operand.Mem{Base: numbers}, number)
		} else {
			k.Load(operand.Mem{Base: numbers}, number)
		}
		for c, value := range values {
			sum := operand.Mem{Base: sums, Disp: c * planeRow}
			k.Mul(number, value, value)
			k.Add(sum, value, value)
			k.Store(value, sum)
		}
	})
	vec.Leave()
}

// gathered emits a loop over points, which gathers the elements at their four corners, in pairs of neighbours. tail has the last
// points, which do not fill a vector. The pointers advance with the points.
func gathered(n reg.Register, pointers []reg.Register, use func(values [4]reg.VecVirtual, tail *vec.Tail)) {
	k := points
	table, plane, upper := Load(Param("table"), GP64()), Load(Param("plane"), GP64()), GP64()
	LEAQ(operand.Mem{Base: table, Disp: planeTableUpper}, upper)
	ones, even, odd := K(), k.Reg(), k.Reg()
	KXNORW(ones, ones, ones)
	k.Load(alternate(k, 0), even)
	k.Load(alternate(k, 1), odd)
	gather := func() (values [4]reg.VecVirtual) {
		uppers := [2]reg.Register{K(), K()}
		for c, mask := range uppers {
			KMOVW(operand.Mem{Base: upper, Disp: c * planeMask}, mask)
		}
		for row := range 2 {
			var pairs [2]reg.VecVirtual
			for half := range pairs {
				index, all := YMM(), K()
				pairs[half] = k.Reg()
				k.Zero(pairs[half]) // for which the gather would wait otherwise
				KMOVW(ones, all)    // which the gather clears
				VMOVDQU(operand.Mem{Base: table, Disp: planeTablePairs + row*planeRow + half*k.Bytes()/2}, index)
				VPGATHERDQ(operand.Mem{Base: plane, Index: index, Scale: 4}, all, pairs[half])
			}
			lower, higher := k.Reg(), k.Reg()
			k.Move(even, lower)
			VPERMI2PS(pairs[1], pairs[0], lower)
			k.Move(odd, higher)
			VPERMI2PS(pairs[1], pairs[0], higher)
			values[row], values[2+row] = k.Reg(), lower
			k.Move(lower, values[row])
			VMOVAPS(higher, uppers[0], values[row])
			VMOVAPS(higher, uppers[1], values[2+row])
		}
		return values
	}
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	JL(operand.LabelRef("rest"))
	Label("points")
	use(gather(), nil)
	for _, p := range append(pointers, table) {
		ADDQ(operand.Imm(uint64(k.Bytes())), p)
	}
	ADDQ(operand.Imm(uint64(k.Lanes()/8)), upper)
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	JGE(operand.LabelRef("points"))
	Label("rest")
	ADDQ(operand.Imm(uint64(k.Lanes())), n)
	JZ(operand.LabelRef("done"))
	tail := k.Tail(n)
	use(gather(), &tail)
	Label("done")
}

// planeOffsets emits the routine that turns pairs into the offsets of single elements.
func planeOffsets() {
	TEXT("planeOffsetsAVX512", NOSPLIT, "func(n int, table *byte, offsets *int)")
	Pragma("noescape")
	Doc("planeOffsetsAVX512 finds the offsets in bytes of the elements at the corners of n points, at least one. It writes whole vectors.")
	k := vec.Kind{Wide: true, Double: true}
	n, table, offsets := Load(Param("n"), GP64()), Load(Param("table"), GP64()), Load(Param("offsets"), GP64())
	upper, one := GP64(), k.Reg()
	LEAQ(operand.Mem{Base: table, Disp: planeTableUpper}, upper)
	VPTERNLOGQ(operand.U8(255), one, one, one)
	VPSRLQ(operand.U8(63), one, one)
	Label("points")
	for c := range 4 {
		element, mask := k.Reg(), K()
		VPMOVSXDQ(operand.Mem{Base: table, Disp: planeTablePairs + c&1*planeRow}, element)
		KMOVB(operand.Mem{Base: upper, Disp: c >> 1 * planeMask}, mask)
		VPADDQ(one, element, mask, element)
		VPSLLQ(operand.U8(2), element, element)
		k.Store(element, operand.Mem{Base: offsets, Disp: c * 2 * planeRow})
	}
	ADDQ(operand.Imm(uint64(k.Bytes()/2)), table)
	ADDQ(operand.Imm(uint64(k.Bytes())), offsets)
	INCQ(upper)
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	JG(operand.LabelRef("points"))
	vec.Leave()
}
