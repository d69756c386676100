package memory

import "testing"

func TestBlocksMadeAreCounted(t *testing.T) {
	const bytes = 11_000_001 // a size class that no other test uses
	blocks, total := BlocksMade()
	m := Alloc(bytes)
	after, totalAfter := BlocksMade()
	if after != blocks+1 || totalAfter < total+bytes {
		t.Errorf("a new block counts as %d, of %d bytes", after-blocks, totalAfter-total)
	}
	Free(m)
	Free(Alloc(bytes))
	if again, _ := BlocksMade(); again != after {
		t.Error("a recycled block counts as a new one")
	}
}
