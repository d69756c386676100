package catalogue

import (
	"maps"
	"reflect"
	"slices"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nn"
)

// CallOptions are the options of [Call].
type CallOptions struct {
	// Device is the device that array arguments are moved to, and on which a function without array arguments creates
	// its results. Nil leaves the arguments on their devices and creates arrays on the default device.
	Device device.Device
	// Rand is the stream of a function that draws random numbers. Nil means a new stream with a fixed seed for each
	// call.
	Rand *nd.Rand
	// Defaults passes the document's defaults for missing arguments. Otherwise missing arguments that are options here
	// are left to the library, whose defaults give the same results.
	Defaults bool
	// Gradients names the arguments whose gradients are computed: "x", an item "ws[1]" of a list, or all its items by
	// "ws". The gradient of an argument that the function overwrites is that of the values before the call.
	Gradients []string
	// OutputGradients are the gradients of the results, in order; a nil entry means that no gradient arrives at that
	// result. They are converted to the dtype and device of the result. A nil slice means ones for all results that are
	// float or complex.
	OutputGradients []*nd.Array
	// Scope has the parameters of a parametric function; nil means a new scope. The function gets a training view of it
	// unless Evaluation is set. The gradient of a parameter is named "params." and its path.
	Scope      *nn.Scope
	Evaluation bool
	// Tape records the call and the gradients, so that the gradients can be differentiated again; its owner releases
	// it. With a nil Tape, the call uses its own tape if gradients are computed.
	Tape *grad.Tape
}

// Call calls the function of a documented name, such as "cupy.sum", like the document's system: with positional and
// with named arguments. Values are those in the left column of the table in the package comment, written in Go:
// *nd.Array, bool, numbers of any type, string, nil for None, dtype.DType or its name, lists as slices ([]int, []any,
// []*nd.Array, …), [Slice] or nd.Index, and *nd.Rand.
//
// The error is a [*Refusal] if the name is unknown, the arguments do not match the signature, or the function refuses
// them. Any other error is a fault of the library: a [*Panic] that is not an *nd.Error, a [*Leak] for a write to an
// argument that the function must not change, an [*EarlyWrite] for a write to any argument before it refused the call,
// or a fault that a device reports.
func Call(name string, args []any, named map[string]any, opts ...CallOptions) (*Result, error) {
	f, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	return f.Call(args, named, opts...)
}

// Call is like the function [Call], for a function that was looked up.
func (f *Function) Call(args []any, named map[string]any, opts ...CallOptions) (*Result, error) {
	if len(opts) > 1 {
		return nil, f.misuse("got %d CallOptions, want at most one", len(opts))
	}
	c := call{f: f, result: &Result{Arguments: map[string]*nd.Array{}, Written: map[string]*nd.Array{}}}
	if opts != nil {
		c.CallOptions = opts[0]
	}
	all, err := f.byName(args, named)
	if err != nil {
		return nil, err
	}
	if c.Tape == nil && (len(c.Gradients) > 0 || f.scoped) {
		c.tape = grad.NewTape()
		defer c.tape.Release()
	} else {
		c.tape = c.Tape
	}
	if err := c.run(all); err != nil {
		return nil, err
	}
	if len(c.Gradients) > 0 {
		if err := c.differentiate(); err != nil {
			return nil, err
		}
	}
	if c.Tape == nil && c.tape != nil {
		c.keep()
	}
	return c.result, nil
}

// call is the state of a running call.
type call struct {
	CallOptions
	f      *Function
	tape   *grad.Tape
	arrays []argument
	view   *nn.Scope // view of the scope that the function gets
	timed  bool      // x is the first of several time steps
	inside *nd.Array // an array of the scope that the call runs in; or nil
	result *Result
}

// argument is one array among the arguments.
type argument struct {
	path    string
	x       *nd.Array
	version uint32    // version of its memory before the call
	leaf    *nd.Array // what gradients are computed for: x, or its values before the call if x may be overwritten; or nil
}

// matches reports whether name is that of the array or of the list that contains it.
func (a argument) matches(name string) bool { return name == a.path || name == rootOf(a.path) }

// run converts the arguments and calls the Go function, in a scope if the function says so.
func (c *call) run(all map[string]any) (err error) {
	if !c.f.InScope {
		return c.convertAndCall(all)
	}
	c.inside = nd.Ones([]int{1})
	nd.TidyAll(func() { err = c.convertAndCall(all) }, &c.inside)
	return err
}

func (c *call) convertAndCall(all map[string]any) error {
	rng := c.Rand
	if rng == nil {
		const seed = 20240229
		rng = nd.NewRand(seed)
	}
	if c.f.scoped {
		c.enter(all, rng)
	}
	xs := c.times(all)
	if c.timed = len(xs) > 0; c.timed {
		all = maps.Clone(all)
		all["x"] = xs[0]
	}
	var err error
	in, refused := Try(func() (in []reflect.Value) { // an index may refuse an array
		in, err = c.f.arguments(all, c.Defaults, rng, &converter{device: c.Device, array: c.pass, scope: c.view})
		return in
	})
	if refused != nil {
		return refused
	}
	if err != nil {
		return err
	}
	for _, name := range c.Gradients {
		if len(c.wanted(name)) == 0 && !c.f.scoped { // the call may create parameters
			return c.f.misuse("gradient of %s: want the name of an array argument", name)
		}
	}
	var failed error
	c.result.Returned, err = Try(func() (all []any) {
		all, failed = c.each(in, xs)
		return all
	})
	if err == nil {
		err = failed
	}
	if len(c.arrays) == 0 { // an adapter may lack an option for the device
		moveTo(c.Device, c.result.Returned)
	}
	c.result.Values = flattened(c.result.Returned)
	return c.checkWrites(err)
}

// pass moves an array argument to the device and watches it if its gradient is needed.
func (c *call) pass(path string, x *nd.Array) *nd.Array {
	if c.timed && path == "x" {
		path = timePath(0)
	}
	a := argument{path: path, x: OnDevice(x, c.Device)}
	if isTracked(a.x) {
		if slices.ContainsFunc(c.Gradients, a.matches) {
			if c.f.Row.FloatGradients && a.x.DType().IsInteger() {
				a.x = a.x.AsType(dtype.Float32)
			}
			if c.f.Row.MayWrite(path) {
				a.leaf, a.x = c.tape.Watch(a.x.Copy()), a.x.Detach()
				nd.Func(c.f.Name).Record(unwritten{}, []*nd.Array{a.leaf}, a.x)
			} else {
				a.leaf = c.tape.Watch(a.x)
				a.x = a.leaf
			}
		}
		if c.inside != nil { // what is computed from the header may be deferred; nobody releases it
			beside := c.inside
			nd.Func(c.f.Name).Temporaries(&a.x, &beside)
		}
		a.version = a.x.Version()
	}
	c.arrays = append(c.arrays, a)
	c.result.Arguments[path] = a.x
	return a.x
}

// isTracked reports whether an array has writable memory of its own.
func isTracked(x *nd.Array) bool { return x != nil && !x.IsScalar() && !x.IsReleased() }

// unwritten is the operation that passes an argument to a function that may overwrite it: its gradient then is that of
// the values before the write.
type unwritten struct{}

func (unwritten) Claims() nd.Claims { return nd.Claims{} }

func (unwritten) VJP(c *nd.Call) { c.SetGx(0, c.Gy(0)) }

// checkWrites records which arguments were changed. It returns err unless that is nil or a refusal; then it returns a
// [*Leak] or an [*EarlyWrite] if the writes are wrong.
func (c *call) checkWrites(err error) error {
	for _, a := range c.arrays {
		if !isTracked(a.x) || a.x.Version() == a.version {
			continue
		}
		c.result.Written[a.path] = a.x
		switch refusal, refused := err.(*Refusal); {
		case refused && refusal.Late(): // the launch counts as a write, even if it wrote nothing
		case refused:
			return &EarlyWrite{Argument: a.path, Refusal: refusal}
		case err == nil && !c.mayWrite(a):
			return &Leak{Argument: a.path}
		}
	}
	return err
}

// mayWrite reports whether the row allows writes to an array, or to another argument that shares its memory.
func (c *call) mayWrite(a argument) bool {
	for _, b := range c.arrays {
		if c.f.Row.MayWrite(b.path) && isTracked(b.x) && b.x.SharesMemory(a.x) {
			return true
		}
	}
	return false
}

// wanted lists the watched arguments that an entry of Gradients names.
func (c *call) wanted(name string) (found []argument) {
	for _, a := range c.arrays {
		if a.leaf != nil && a.matches(name) {
			found = append(found, a)
		}
	}
	if x := c.parameter(name); x != nil {
		found = append(found, argument{path: name, leaf: x})
	}
	return found
}

// differentiate computes the gradients of the arguments from those of the results.
func (c *call) differentiate() error {
	outputs, err := c.result.Arrays()
	if err != nil {
		return err
	}
	if len(c.OutputGradients) > len(outputs) {
		return c.f.misuse("%d results: got %d OutputGradients", len(outputs), len(c.OutputGradients))
	}
	var wanted []argument
	var xs []*nd.Array
	for _, name := range c.Gradients {
		for _, a := range c.wanted(name) {
			wanted, xs = append(wanted, a), append(xs, a.leaf)
		}
	}
	back := c.tape.VJP
	if c.Tape != nil {
		back = c.tape.VJPRecorded
	}
	gxs, err := Try(func() []*nd.Array {
		ys, gys := c.cotangents(outputs)
		return back(ys, gys, xs...)
	})
	if err != nil {
		return err
	}
	c.result.Gradients = map[string]*nd.Array{}
	for i, g := range gxs {
		if g != nil {
			c.result.Gradients[wanted[i].path] = g
		}
	}
	return nil
}

// cotangents pairs the results with the gradients that arrive there; nil means ones.
func (c *call) cotangents(outputs []*nd.Array) (ys, gys []*nd.Array) {
	for i, y := range outputs {
		switch {
		case y == nil:
		case c.OutputGradients == nil && y.DType().IsInexact():
			ys, gys = append(ys, y), append(gys, nil)
		case i < len(c.OutputGradients) && c.OutputGradients[i] != nil:
			ys, gys = append(ys, y), append(gys, OnDevice(c.OutputGradients[i], y.Device()).AsType(y.DType()))
		}
	}
	return ys, gys
}

// keep detaches the results from the call's own tape.
func (c *call) keep() {
	kept := func(x *nd.Array) {
		if x != nil && !x.IsReleased() {
			c.tape.Keep(x)
		}
	}
	for _, v := range c.result.Values {
		switch v := v.(type) {
		case *nd.Array:
			kept(v)
		case interface{ Outputs() []*nd.Array }:
			for _, x := range v.Outputs() {
				kept(x)
			}
		}
	}
	for _, a := range c.arrays {
		kept(a.x)
	}
	if st := c.result.State; st != nil {
		kept(st.C)
		kept(st.H)
	}
	for _, g := range c.result.Gradients {
		kept(g)
	}
}
