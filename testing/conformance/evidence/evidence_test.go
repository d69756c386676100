package evidence_test

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/evidence"
)

func marks(t *testing.T) map[string]evidence.Mark {
	t.Helper()
	all, err := evidence.Marks("..")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestEveryNameIsChecked fails for a name with a row that has neither a recorded case nor a test.
func TestEveryNameIsChecked(t *testing.T) {
	for name, mark := range marks(t) {
		if mark == "" && !strings.HasPrefix(name, "accuracy.") { // tables of numbers
			t.Errorf("%s has no recorded case, and no test names it: write one in testing/conformance/named", name)
		}
	}
}

func TestMarks(t *testing.T) {
	all := marks(t)
	for name, want := range map[string]evidence.Mark{
		"cupy.add":                             evidence.FromSystem,
		"numpy.packbits":                       evidence.FromSystem, // in edges
		"chainer.links.Linear":                 evidence.FromSystem,
		"mxnet.npx.index_add":                  evidence.FromFormula,
		"mxnet.npx.gather_nd":                  evidence.FromSystem, // and two formulas
		"cupy.cuda.Device.__repr__":            evidence.ByTest,     // an argument of a call
		"nnabla.functions.randn":               evidence.ByTest,     // the key of a table
		"cupy.cuda.nvtx.MarkC":                 evidence.ByTest,     // in a list
		"nnabla.function.Function.min_outputs": evidence.ByTest,     // a constant and a string
	} {
		if all[name] != want {
			t.Errorf("%s is marked %q, want %q", name, all[name], want)
		}
	}
}

// sharedGolden is outside the repository.
const sharedGolden = "../../../../shared/golden"

// TestCommittedCasesTellOrigins fails if all recorded cases of a function give another mark than the committed ones.
func TestCommittedCasesTellOrigins(t *testing.T) {
	if _, err := os.Stat(sharedGolden); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("%s is absent", sharedGolden)
	}
	all, err := evidence.Recorded(sharedGolden)
	if err != nil {
		t.Fatal(err)
	}
	committed, err := evidence.Recorded("../testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range catalogue.Rows() {
		name := row.Name()
		bySystem, recorded := all[name]
		if c, ok := committed[name]; ok != recorded || c != bySystem {
			t.Errorf("%s: of all cases recorded %t, by the system %t; of the committed ones %t, %t: run testing/conformance/subset", name, recorded, bySystem, ok, c)
		}
	}
}
