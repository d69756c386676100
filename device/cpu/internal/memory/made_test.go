package memory

import "testing"

func TestBlocksMadeAreCounted(t *testing.T) {
	const bytes = 11_000_001 // a size class that no other test uses
	blocks, total := Made()
	m := Alloc(bytes)
	after, totalAfter := Made()
	if after != blocks+1 || totalAfter < total+bytes {
		t.Errorf("a new block counts as %d, of %d bytes", after-blocks, totalAfter-total)
	}
	Free(m)
	Free(Alloc(bytes))
	if again, _ := Made(); again != after {
		t.Error("a recycled block counts as a new one")
	}
}
