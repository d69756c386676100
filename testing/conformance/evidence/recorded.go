package evidence

import (
	"strings"

	"github.com/ndgrad/ndgrad/testing/golden"
)

// Recorded returns the names of the functions that the suites in a folder have cases of, and whether a case is from the
// system itself; it is false if all of them are formulas.
func Recorded(folder string) (map[string]bool, error) {
	suites, err := golden.Suites(folder)
	if err != nil {
		return nil, err
	}
	recorded := map[string]bool{}
	for _, s := range suites {
		switch s.Kind() {
		case golden.Functions, golden.Solvers, golden.Exercises:
		default:
			continue
		}
		for f, err := range s.Open() {
			if err != nil {
				return nil, err
			}
			for _, c := range f.Cases {
				name := strings.TrimSuffix(c.Function, ".init")
				recorded[name] = recorded[name] || !c.IsFormula()
			}
		}
	}
	return recorded, nil
}
