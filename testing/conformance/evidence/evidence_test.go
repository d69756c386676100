package evidence_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/evidence"
)

// TestEveryNameIsHeld fails for a documented name with a row that has neither a recorded case nor a test that names it.
func TestEveryNameIsHeld(t *testing.T) {
	documented := catalogue.Documented()
	known := func(name string) bool {
		_, ok := slices.BinarySearch(documented, name)
		return ok
	}
	recorded, err := evidence.Recorded("../testdata")
	if err != nil {
		t.Fatal(err)
	}
	tested, err := evidence.TestNames("..", known)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range catalogue.Rows() {
		name, _, _ := strings.Cut(row.Signature, "(")
		if _, ok := recorded[name]; known(name) && !ok && tested[name] == "" {
			t.Errorf("%s has no recorded case, and no test names it: write one in testing/conformance/named", name)
		}
	}
}
