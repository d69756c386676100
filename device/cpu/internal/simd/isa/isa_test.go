package isa

import "testing"

// TestNarrow checks that the numbers select every instruction set, each with the sets before it, and that restore ends
// the selection.
func TestNarrow(t *testing.T) {
	level, vnni := Current(), VNNI()
	type set struct {
		level Level
		vnni  bool
	}
	seen := map[set]bool{}
	for number := range uint8(20) {
		restore := Narrow(number)
		if VNNI() && Current() != Best {
			t.Errorf("VNNI at level %s", Current())
		}
		seen[set{Current(), VNNI()}] = true
		restore()
		if Current() != level || VNNI() != vnni {
			t.Fatalf("after set %d the level is still %s and VNNI %t", number, Current(), VNNI())
		}
	}
	want := int(Best) + 1
	if vnni {
		want++
	}
	if len(seen) != want {
		t.Errorf("the numbers selected %v, want %d sets", seen, want)
	}
	defer UseVNNI(UseVNNI(false))
	if VNNI() {
		t.Error("VNNI is used, although it was disabled")
	}
}
