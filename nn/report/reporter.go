package report

import "github.com/ndgrad/ndgrad/nd"

// Reporter adds the values of a part of a model to Values, under the part's name. A nil Reporter ignores them.
// Chainer: Reporter.
type Reporter struct {
	into   *Values
	prefix string
}

// New returns a reporter that writes into values.
func New(into *Values) *Reporter { return &Reporter{into: into} }

// Sub returns the reporter of a part: its names begin with the part's name and a slash.
// Chainer: Reporter.add_observer.
func (r *Reporter) Sub(part string) *Reporter {
	if r == nil || part == "" {
		return r
	}
	return &Reporter{r.into, r.prefix + part + "/"}
}

// Report sets the value of an array with one element. It waits for the device.
// Chainer: report.
func (r *Reporter) Report(name string, x *nd.Array) {
	if r == nil || x == nil {
		return
	}
	const fn nd.Func = "Reporter.Report"
	if x.Size() != 1 || x.DType().IsComplex() {
		panic(fn.Errorf([]*nd.Array{x}, "%q: want one real number", r.prefix+name))
	}
	r.Value(name, nd.Value[float64](x))
}

// Value sets a number.
func (r *Reporter) Value(name string, x float64) {
	if r != nil {
		r.into.Set(r.prefix+name, x)
	}
}
