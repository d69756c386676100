//go:build !purego

package gemm

import (
	"os"
	"strings"
	"testing"
)

// TestTilesAreReleased reads the routines that use AMX: each releases the tiles right before it returns. Otherwise the system would save
// them at every switch between threads.
func TestTilesAreReleased(t *testing.T) {
	text, err := os.ReadFile("gemm_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	const release = "// TILERELEASE\n\tBYTE $0xc4\n\tBYTE $0xe2\n\tBYTE $0x78\n\tBYTE $0x49\n\tBYTE $0xc0\n\tRET\n"
	routines := 0
	for _, routine := range strings.Split(string(text), "\nTEXT ")[1:] {
		if !strings.Contains(routine, "// LDTILECFG") {
			continue
		}
		routines++
		if returns := strings.Count(routine, "\tRET\n"); returns == 0 || returns != strings.Count(routine, release) {
			t.Errorf("%s returns without releasing the tiles", routine[:strings.Index(routine, "(")])
		}
	}
	if routines == 0 {
		t.Error("no routine uses AMX")
	}
}
