package isa

import "testing"

// TestNarrow holds that numbers choose every set of instructions, each with those before it, and that the choice ends.
func TestNarrow(t *testing.T) {
	level, vnni := Current(), VNNI()
	type set struct {
		level Level
		vnni  bool
	}
	seen := map[set]bool{}
	for number := range uint8(20) {
		restore := Narrow(number)
		if VNNI() && Current() != AVX512 {
			t.Errorf("VNNI at level %s", Current())
		}
		seen[set{Current(), VNNI()}] = true
		restore()
		if Current() != level || VNNI() != vnni {
			t.Fatalf("%s and VNNI %t are left after set %d", Current(), VNNI(), number)
		}
	}
	want := int(Best) + 1
	if vnni {
		want++
	}
	if len(seen) != want {
		t.Errorf("the numbers chose %v, want %d sets", seen, want)
	}
	defer UseVNNI(UseVNNI(false))
	if VNNI() {
		t.Error("VNNI is used where it was to be left out")
	}
}
