package runner

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// Runner runs the cases of suites against the catalogue.
type Runner struct {
	// Only selects functions by name; nil means all.
	Only *regexp.Regexp
	// Device is the device of the arrays; nil means the CPU.
	Device device.Device
	// InScope runs each call in a scope of nd.TidyAll, which defers elementwise results.
	InScope bool
	// Report receives the outcome of each function, in order.
	Report func(*FunctionOutcome)

	functions map[string]*catalogue.Function
}

// New prepares the rows of a catalogue. It returns an error if a row does not match its function.
func New(rows []catalogue.Row) (*Runner, error) {
	functions, err := catalogue.BindAll(rows)
	if err != nil {
		return nil, err
	}
	return &Runner{functions: functions}, nil
}

// Run runs the suite in a folder, or the suites in a folder of suites. A suite without a runner is an error, unless the
// table of suites says that it is open.
func (r *Runner) Run(dir string) (Summary, error) {
	for _, f := range r.functions {
		f.InScope = r.InScope
	}
	suites, err := golden.Suites(dir)
	if err != nil {
		return Summary{}, err
	}
	var total Summary
	for _, s := range suites {
		report := func(f *FunctionOutcome) {
			total.add(f)
			total.addOrigins(s, f)
			if r.Report != nil {
				r.Report(f)
			}
		}
		if err := r.suite(s, report); err != nil {
			return total, err
		}
	}
	return total, nil
}

func (r *Runner) chosen(names ...string) bool {
	return r.Only == nil || slices.ContainsFunc(names, r.Only.MatchString)
}

// caseSuite runs every selected file of a case suite.
func (r *Runner) caseSuite(s golden.Suite, report func(*FunctionOutcome), run func(*golden.File) *FunctionOutcome) error {
	for f, err := range s.Open() {
		if err != nil {
			return err
		}
		if r.chosen(f.Function) {
			outcome := run(f)
			outcome.markFormulas(f.Cases)
			report(outcome)
		}
	}
	return nil
}

// function runs the cases of a file, which belong to one function or to several related ones.
func (r *Runner) function(f *golden.File) *FunctionOutcome {
	all := &FunctionOutcome{Name: f.Function}
	for _, c := range f.Cases {
		o := Outcome{ID: c.ID}
		fn, c := r.linkCase(c)
		switch link := r.functions[strings.TrimSuffix(c.Function, ".init")]; {
		case stepsOf(c) != nil:
			o = r.program(f, c)
		case fn == nil && link != nil:
			o.Forward = r.initial(link, f, c)
		case fn == nil:
			o.Skipped = "no catalogue row"
		case !Decided(c.Variant):
			o.Skipped = "variant " + c.Variant
		default:
			tol := ToleranceOf(c)
			o.Forward = r.forward(fn, f, c, tol)
			if o.Forward == nil && c.Registered != nil {
				o.Forward = r.registers(fn, f, c)
			}
			if c.Grads != nil {
				o.HasGradient = true
				o.Gradient = r.gradients(fn, f, c, tol)
			}
		}
		all.Cases = append(all.Cases, o)
	}
	return all
}

// Decided reports whether this library follows a variant, one of several behaviours on which systems differ.
func Decided(variant string) bool {
	return variant == "" || variant == "cupy-saturate" || strings.HasPrefix(variant, "numpy-")
}

// forward runs a case twice: without the arguments that it omits, so that this library's defaults apply, and with the
// document's defaults.
func (r *Runner) forward(fn *catalogue.Function, f *golden.File, c *golden.Case, tol compare.Tolerance) error {
	t := &trial{file: f, device: r.Device, fn: fn}
	if err := t.judge(c, tol, catalogue.CallOptions{}); err != nil {
		return err
	}
	if err := t.judge(c, tol, catalogue.CallOptions{Defaults: true}); err != nil {
		return fmt.Errorf("with the document's defaults: %w", err)
	}
	return nil
}

// judge calls the function and compares its results, its writes, or its refusal with the case.
func (t *trial) judge(c *golden.Case, tol compare.Tolerance, how catalogue.CallOptions) error {
	err := t.run(c, how)
	if c.Error {
		return wantRefusal(err, c)
	}
	if err != nil {
		return err
	}
	if c.Check != "" {
		check := checkFor(c)
		if check == nil {
			return fmt.Errorf("no check for %q", c.Check)
		}
		return check(t, c, tol)
	}
	if moments, ok := c.Expect.(golden.Object); ok {
		return t.checkMoments(c, moments)
	}
	if err := t.compareOutputs(c, tol); err != nil {
		return err
	}
	for _, m := range c.Mutated {
		x := t.after(m.Name)
		if x == nil {
			return fmt.Errorf("mutated names %s: want an array argument", m.Name)
		}
		want, err := t.file.Array(m.Key)
		if err != nil {
			return err
		}
		if err := tol.Compare(x, want); err != nil {
			return fmt.Errorf("argument %s after the call: %w", m.Name, err)
		}
	}
	if c.HasExpected {
		return matchExpected(tol, t.result.Values, c.Expected)
	}
	return nil
}

// wantRefusal returns nil if the function refused a call that it must refuse, or if Go's types refused it instead of a
// TypeError.
func wantRefusal(err error, c *golden.Case) error {
	if err == nil {
		return fmt.Errorf("it was not refused, want %s: %s", c.ErrorType, c.ErrorText)
	}
	var refused *catalogue.Refusal
	if errors.As(err, &refused) &&
		(refused.Kind == catalogue.Refused || refused.Kind == catalogue.Unfit && c.ErrorType == "TypeError") {
		return nil
	}
	return err
}

func (t *trial) compareOutputs(c *golden.Case, tol compare.Tolerance) error {
	if len(c.Outputs) == 0 {
		return nil
	}
	got, err := t.result.Arrays()
	if err != nil {
		return err
	}
	if len(got) != len(c.Outputs) {
		return fmt.Errorf("%d results, want %d", len(got), len(c.Outputs))
	}
	for i, key := range c.Outputs {
		if key == "" {
			if got[i] != nil {
				return fmt.Errorf("output %d: an array of shape %v, want nothing", i, got[i].Shape())
			}
			continue
		}
		want, err := t.file.Array(key)
		if err != nil {
			return err
		}
		if err := tol.Compare(got[i], want); err != nil {
			return fmt.Errorf("output %d: %w", i, err)
		}
	}
	return nil
}

// ToleranceOf returns a case's tolerance. The dtypes of all results must match, with the exceptions in otherDTypes.
//
// Two kinds of cases hold values of NumPy that are one float away from the nearest, with a tolerance that only exactly
// these values meet. For these cases the nearest float also passes. They are float32 functions stored as float64, whose
// tolerance is that of float64, and powers in place, which are listed among exact arithmetic.
func ToleranceOf(c *golden.Case) compare.Tolerance {
	const float32Eps = 1.0 / (1 << 23)
	instead, _ := OtherDType(c.Function)
	tol := compare.Tolerance{RTol: c.RTol, ATol: c.ATol, LastPlace: c.Function == "cupy.ndarray.__ipow__", DType: true, Instead: instead}
	if strings.HasPrefix(c.Note, "computed in float32") {
		tol.RTol = max(tol.RTol, float32Eps)
	}
	return tol
}
