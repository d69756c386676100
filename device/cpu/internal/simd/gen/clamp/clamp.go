// Package clamp emits the function that tiles apply to their sums: that of simd/clamp.
package clamp

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// Numbers are registers with the numbers of a clamp.Bounds in all lanes.
type Numbers [3]reg.Register

// Load loads the numbers from the address of a clamp.Bounds.
func (n Numbers) Load(k vec.Kind, bounds reg.Register) {
	for i, v := range n {
		k.Splat(operand.Mem{Base: bounds, Disp: i * k.Size()}, v)
	}
}

// Apply emits the maximum with one number, the minimum with another, and the addition of a zero. At a tie, and if it is NaN, the sum
// stays.
func (n Numbers) Apply(k vec.Kind, sum operand.Op) {
	k.Max(sum, n[0], sum)
	k.Min(sum, n[1], sum)
	k.Add(n[2], sum, sum)
}
