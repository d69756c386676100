package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// points is the kind of vectors that hold one number of each of 16 points.
var points = vec.Kind{Wide: true}

// planePoints is the number of points of a PlaneTable.
const planePoints = (planeTableWeights - planeTablePairs) / (2 * 4)

// planeCorners emits the routine that finds the corners of points in a plane.
func planeCorners() {
	TEXT("planeCornersAVX512", NOSPLIT, "func(n int, table, plane *byte, rows, columns *float32)")
	Pragma("noescape")
	Doc("planeCornersAVX512 fills a PlaneTable with the corners of n points, at least one. It writes whole vectors.")
	k := points
	n, table, plane := Load(Param("n"), GP64()), Load(Param("table"), GP64()), Load(Param("plane"), GP64())
	rows, columns := Load(Param("rows"), GP64()), Load(Param("columns"), GP64())
	upper := GP64()
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
	// split leaves the lower corner in location, and returns the upper one and both weights.
	split := func(location, last, behind reg.VecVirtual) (up, low, high reg.VecVirtual) {
		up, low, high = k.Reg(), k.Reg(), k.Reg()
		k.Min(location, behind, location) // NaN stays NaN
		k.Max(location, before, location)
		k.Round(vec.Down, location, up)
		k.Sub(up, location, high)
		k.Move(up, location)
		k.Add(one, up, up)
		k.Sub(high, one, low)
		for _, corner := range []struct{ at, weight reg.VecVirtual }{{location, low}, {up, high}} {
			k.Where(vec.Less, zero, corner.at, zero, corner.weight, nil)
			k.Where(vec.Greater, last, corner.at, zero, corner.weight, nil)
		}
		return up, low, high
	}
	vectors := func(load func(m operand.Op, r reg.Register)) {
		left := k.Reg()
		load(operand.Mem{Base: columns}, left)
		_, first, second := split(left, lastColumn, behindColumn)
		for c, least := range []reg.VecVirtual{lastColumn, zero} {
			KMOVW(k.Compare(vec.GreaterEqual, least, left).Mask(), operand.Mem{Base: upper, Disp: c * planePoints / 8})
		}
		column, down := index(left, limit), k.Reg()
		load(operand.Mem{Base: rows}, down)
		up, low, high := split(down, lastRow, behindRow)
		for c, corner := range []reg.VecVirtual{down, up} {
			row := index(corner, lastRow)
			VPMULLD(stride, row, row)
			k.AddInt(column, row, row)
			k.Store(row, operand.Mem{Base: table, Disp: planeTablePairs + c*planePoints*4})
		}
		product := k.Reg()
		for c, weights := range [][2]reg.VecVirtual{{low, first}, {high, first}, {low, second}, {high, second}} {
			k.Mul(weights[0], weights[1], product)
			k.Store(product, operand.Mem{Base: table, Disp: planeTableWeights + c*planePoints*4})
		}
	}
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	JL(operand.LabelRef("rest"))
	Label("points")
	vectors(func(m operand.Op, r reg.Register) { k.Load(m, r) })
	for _, p := range []reg.Register{rows, columns, table} {
		ADDQ(operand.Imm(uint64(k.Bytes())), p)
	}
	ADDQ(operand.Imm(uint64(k.Lanes()/8)), upper)
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	JGE(operand.LabelRef("points"))
	Label("rest")
	ADDQ(operand.Imm(uint64(k.Lanes())), n)
	JZ(operand.LabelRef("done"))
	vectors(k.Tail(n).LoadZero)
	Label("done")
	vec.Leave()
}

// planeSums emits the routine that gathers the corners of points in a plane, in pairs of neighbours, and sums them.
func planeSums() {
	TEXT("planeSumsAVX512", NOSPLIT, "func(n int, table *byte, y *float32, plane *byte) (lost int)")
	Pragma("noescape")
	Doc("planeSumsAVX512 makes n sums, at least one, of the corners in a PlaneTable, whose vectors are whole. lost is not 0 if a sum is NaN.")
	k := points
	n, table, y := Load(Param("n"), GP64()), Load(Param("table"), GP64()), Load(Param("y"), GP64())
	plane, upper, lost := Load(Param("plane"), GP64()), GP64(), GP64()
	LEAQ(operand.Mem{Base: table, Disp: planeTableUpper}, upper)
	XORQ(lost, lost)
	ones := K()
	KXNORW(ones, ones, ones)
	even, odd := k.Reg(), k.Reg()
	k.Load(alternate(k, 0), even)
	k.Load(alternate(k, 1), odd)
	sum := func() reg.VecVirtual {
		var values [4]reg.VecVirtual
		upperNeighbours := [2]reg.Register{K(), K()}
		for c, mask := range upperNeighbours {
			KMOVW(operand.Mem{Base: upper, Disp: c * planePoints / 8}, mask)
		}
		for row := range 2 {
			var pairs [2]reg.VecVirtual
			for half := range pairs {
				index, all := YMM(), K()
				pairs[half] = k.Reg()
				k.Zero(pairs[half]) // which the gather would wait for otherwise
				KMOVW(ones, all)    // gathers clear it
				VMOVDQU(operand.Mem{Base: table, Disp: planeTablePairs + row*planePoints*4 + half*32}, index)
				VPGATHERDQ(operand.Mem{Base: plane, Index: index, Scale: 4}, all, pairs[half])
			}
			lower, higher := k.Reg(), k.Reg()
			k.Move(even, lower)
			VPERMI2PS(pairs[1], pairs[0], lower)
			k.Move(odd, higher)
			VPERMI2PS(pairs[1], pairs[0], higher)
			values[row], values[2+row] = k.Reg(), lower
			k.Move(lower, values[row])
			VMOVAPS(higher, upperNeighbours[0], values[row])
			VMOVAPS(higher, upperNeighbours[1], values[2+row])
		}
		for c, value := range values {
			k.Mul(operand.Mem{Base: table, Disp: planeTableWeights + c*planePoints*4}, value, value)
			if c > 0 {
				k.Add(value, values[0], values[0])
			}
		}
		return values[0]
	}
	check := func(total reg.VecVirtual) { ORQ(k.Compare(vec.Unordered, total, total).Bits().As64(), lost) }
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	JL(operand.LabelRef("rest"))
	Label("points")
	total := sum()
	k.Store(total, operand.Mem{Base: y})
	check(total)
	ADDQ(operand.Imm(uint64(k.Bytes())), table)
	ADDQ(operand.Imm(uint64(k.Bytes())), y)
	ADDQ(operand.Imm(uint64(k.Lanes()/8)), upper)
	SUBQ(operand.Imm(uint64(k.Lanes())), n)
	JGE(operand.LabelRef("points"))
	Label("rest")
	ADDQ(operand.Imm(uint64(k.Lanes())), n)
	JZ(operand.LabelRef("done"))
	tail := k.Tail(n)
	total = sum()
	tail.Keep(total)
	tail.Store(total, operand.Mem{Base: y})
	check(total)
	Label("done")
	Store(lost, ReturnIndex(0))
	vec.Leave()
}
