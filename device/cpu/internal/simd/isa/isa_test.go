package isa

import "testing"

// TestNarrow checks that the numbers select every instruction set, each with the sets before it, and that restore ends
// the selection.
func TestNarrow(t *testing.T) {
	level, vnni, bf16, amx := Current(), VNNI(), BF16(), AMX()
	type set struct {
		level           Level
		vnni, bf16, amx bool
	}
	seen := map[set]bool{}
	for number := range uint8(20) {
		restore := Narrow(number)
		if VNNI() && Current() != Best {
			t.Errorf("VNNI at level %s", Current())
		}
		if BF16() && !VNNI() {
			t.Error("BF16 without VNNI")
		}
		if AMX() && !BF16() {
			t.Error("AMX without BF16, although the processor has it")
		}
		seen[set{Current(), VNNI(), BF16(), AMX()}] = true
		restore()
		if Current() != level || VNNI() != vnni || BF16() != bf16 || AMX() != amx {
			t.Fatalf("after set %d the level is still %s, VNNI %t, BF16 %t and AMX %t", number, Current(), VNNI(), BF16(), AMX())
		}
	}
	want := int(Best) + 1
	for _, has := range []bool{vnni, bf16, amx} {
		if has {
			want++
		}
	}
	if len(seen) != want {
		t.Errorf("the numbers selected %v, want %d sets", seen, want)
	}
	defer UseAMX(UseAMX(false))
	if AMX() {
		t.Error("AMX is used, although it was disabled")
	}
	defer UseBF16(UseBF16(false))
	if BF16() {
		t.Error("BF16 is used, although it was disabled")
	}
	defer UseVNNI(UseVNNI(false))
	if VNNI() {
		t.Error("VNNI is used, although it was disabled")
	}
}
