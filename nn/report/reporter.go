package report

import "github.com/ndgrad/ndgrad/nd"

// Reporter tells values what a part of a model finds, under the part's name. A nil one forgets it. chainer.Reporter.
type Reporter struct {
	into   *Values
	prefix string
}

// New returns a reporter that fills values.
func New(into *Values) *Reporter { return &Reporter{into: into} }

// Sub is the reporter of a part: its names begin with the part's and a slash. chainer.Reporter.add_observer.
func (r *Reporter) Sub(part string) *Reporter {
	if r == nil || part == "" {
		return r
	}
	return &Reporter{r.into, r.prefix + part + "/"}
}

// Report notes the value of an array of one element, which it waits for. chainer.report.
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

// Value notes a number.
func (r *Reporter) Value(name string, x float64) {
	if r != nil {
		r.into.Set(r.prefix+name, x)
	}
}
