package runner

import (
	"fmt"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// check checks results of a call for which a comparison is not enough. It must also compare what the case expects of
// arrays in outputs and of properties in expected.
type check func(t *trial, c *golden.Case, tol compare.Tolerance) error

// checks maps the beginning of the text in a case's field check to a check.
var checks = []struct {
	prefix string
	check  check
}{
	{"shape, dtype and strides only", (*trial).checkExpected},
	{"the shape alone", (*trial).checkExpected},
	{"outputs[0] is |R|", (*trial).checkQR},
	{"outputs[0] is s, descending", (*trial).checkSVD},
	{"outputs[0] are the eigenvalues", (*trial).checkEigh},
	{"outputs[0] is what stands at position kth", (*trial).checkPartition},
	{"a at the result is a partition", (*trial).checkArgPartition},
	{"draw 100,000", (*trial).checkDistribution},
	{"draw size values", (*trial).checkFrequencies},
	{"all values differ", (*trial).checkDistinct},
	{"the same seed", (*trial).checkSeed},
}

// checkFor returns the check of a case, or nil if the text is unknown.
func checkFor(c *golden.Case) check {
	for _, k := range checks {
		if strings.HasPrefix(c.Check, k.prefix) {
			return k.check
		}
	}
	return nil
}

// checkExpected is the check of cases that expected describes completely.
func (t *trial) checkExpected(c *golden.Case, tol compare.Tolerance) error {
	return matchExpected(tol, t.result.Values, c.Expected)
}

// argument returns the array of an argument before the call.
func (t *trial) argument(c *golden.Case, name string) (*nd.Array, error) {
	v, _ := c.Args.Get(name)
	key, ok := v.(golden.Array)
	if !ok {
		return nil, fmt.Errorf("the case has no array %s", name)
	}
	return t.file.Array(string(key))
}

// expected returns a property of the field expected, or nil.
func expected(c *golden.Case, name string) golden.Value {
	o, _ := c.Expected.(golden.Object)
	v, _ := o.Get(name)
	return v
}

// resultArrays returns the results, which must be n arrays.
func (t *trial) resultArrays(n int) ([]*nd.Array, error) {
	xs, err := t.result.Arrays()
	if err == nil && len(xs) != n {
		err = fmt.Errorf("%d results, want %d", len(xs), n)
	}
	for i, x := range xs {
		if err == nil && x == nil {
			err = fmt.Errorf("result %d is missing", i)
		}
	}
	return xs, err
}
