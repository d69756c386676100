package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	limits "github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/clamp"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// begin emits the initial values of rows of sums: zeros if start is nil, otherwise what set emits.
func begin(k vec.Kind, label string, sums [][]reg.VecVirtual, set func(start reg.Register)) {
	start := Load(Param("start"), GP64())
	TESTQ(start, start)
	JZ(operand.LabelRef(label + "Zeros"))
	set(start)
	JMP(operand.LabelRef(label + "Begun"))
	Label(label + "Zeros")
	for _, row := range sums {
		for _, s := range row {
			k.Zero(s)
		}
	}
	Label(label + "Begun")
}

// clamp emits the clamping of sums.
func clamp(k vec.Kind, sums [][]reg.VecVirtual) {
	bounds := Load(Param("clamp"), GP64())
	TESTQ(bounds, bounds)
	JZ(operand.LabelRef("clamped"))
	numbers := limits.Numbers{k.Reg(), k.Reg(), k.Reg()}
	numbers.Load(k, bounds)
	for _, row := range sums {
		for _, s := range row {
			numbers.Apply(k, s)
		}
	}
	Label("clamped")
}

// tile emits rows of sums over the terms of a table of offsets. term adds the terms at one offset. start returns the
// address of each row of the result, one row after another.
func tile(k vec.Kind, sums [][]reg.VecVirtual, term func(offset reg.Register), start func(row int) operand.Mem) {
	count, off, offset := Load(Param("k"), GP64()), Load(Param("off"), GP64()), GP64()
	TESTQ(count, count)
	JZ(operand.LabelRef("summed"))
	LEAQ(operand.Mem{Base: off, Index: count, Scale: 8}, off)
	NEGQ(count)
	Label("term")
	MOVQ(operand.Mem{Base: off, Index: count, Scale: 8}, offset)
	term(offset)
	INCQ(count)
	JNZ(operand.LabelRef("term"))
	Label("summed")
	add := Load(Param("add"), GP64())
	TESTQ(add, add)
	JZ(operand.LabelRef("store"))
	each := func(do func(s reg.VecVirtual, m operand.Mem)) {
		for i, row := range sums {
			m := start(i)
			for j, s := range row {
				m := m
				m.Disp += j * k.Bytes()
				do(s, m)
			}
		}
	}
	each(func(s reg.VecVirtual, m operand.Mem) { k.Add(m, s, s) })
	Label("store")
	clamp(k, sums)
	each(func(s reg.VecVirtual, m operand.Mem) { k.Store(s, m) })
	vec.Leave()
}
