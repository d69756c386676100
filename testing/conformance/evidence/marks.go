package evidence

import (
	"path/filepath"

	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// Mark says what a name was checked with; "" is nothing.
type Mark string

// The marks, the strongest first. A name gets one.
const (
	FromSystem  Mark = "recorded" // the system computed results, which are committed or were
	FromFormula Mark = "formula"  // all recorded results are those of a formula in NumPy
	ByTest      Mark = "tested"   // a test calls the name
)

// Marks returns the marks of the catalogue's names. It reads the committed cases and the tests below the folder of
// testing/conformance.
func Marks(folder string) (map[string]Mark, error) {
	marks := map[string]Mark{}
	for _, row := range catalogue.Rows() {
		marks[row.Name()] = ""
	}
	tested, err := TestNames(folder, func(name string) bool { _, ok := marks[name]; return ok })
	if err != nil {
		return nil, err
	}
	for name := range tested {
		marks[name] = ByTest
	}
	for _, cases := range []string{"testdata", "edges"} {
		recorded, err := Recorded(filepath.Join(folder, cases))
		if err != nil {
			return nil, err
		}
		for name, bySystem := range recorded {
			if _, ok := marks[name]; !ok {
				continue
			}
			if bySystem {
				marks[name] = FromSystem
			} else if marks[name] != FromSystem {
				marks[name] = FromFormula
			}
		}
	}
	return marks, nil
}
