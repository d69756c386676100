package catalogue

import (
	"fmt"
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
	// Device is where arrays among the arguments are taken, and where a function that gets none leaves its results. Nil leaves
	// arguments where they are, and makes new arrays on the default device.
	Device device.Device
	// Rand is the stream of a function that draws; nil is one with a fixed seed, new for each call.
	Rand *nd.Rand
	// Defaults passes the document's defaults for arguments that are left out. Without it what is an option here is left to
	// the library, whose defaults give the same results.
	Defaults bool
	// Gradients names the arguments whose gradients are wanted: "x", an item "ws[1]" of a list, or all its items by "ws".
	Gradients []string
	// OutputGradients are the gradients that come in at the results, in their order; a nil one says that none comes in there.
	// They are taken to the result's dtype and device. Nil stands for ones at all results that are float or complex.
	OutputGradients []*nd.Array
	// Scope has the parameters of a parametric function; nil is a new scope. The function is called as in training, with a view of
	// it, unless Evaluation is set. Gradients of a parameter are wanted by "params." and its path.
	Scope      *nn.Scope
	Evaluation bool
	// Tape records the call, and the gradients too, so that they can be differentiated again; its owner releases it. Nil is a
	// tape of the call's own, where gradients are wanted.
	Tape *grad.Tape
}

// Call calls the function of a documented name, such as "cupy.sum", as the document's system is called: with arguments by
// place, and by name. A value is what the package comment's table has on its left side, written in Go: *nd.Array, bool,
// numbers of any type, string, nil for None, dtype.DType or its name, lists as slices ([]int, []any, []*nd.Array, …), [Slice]
// or nd.Index, and *nd.Rand.
//
// The error is a [*Refusal] where the name is unknown, the arguments do not go with the signature, or the function refuses
// them. It is another error where the library is at fault: a panic that is no *nd.Error, or a write to an argument that the
// function must not change, or to any before it refused.
func Call(name string, args []any, named map[string]any, opts ...CallOptions) (*Result, error) {
	f, err := Lookup(name)
	if err != nil {
		return nil, err
	}
	return f.Call(args, named, opts...)
}

// Call is the package's [Call] of a function that was looked up.
func (f *Function) Call(args []any, named map[string]any, opts ...CallOptions) (*Result, error) {
	if len(opts) > 1 {
		return nil, f.misuse("%d CallOptions, want at most one", len(opts))
	}
	c := call{f: f, result: &Result{Arguments: map[string]*nd.Array{}, Written: map[string]*nd.Array{}}}
	if opts != nil {
		c.CallOptions = opts[0]
	}
	all, err := f.named(args, named)
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

// call is a call that is under way.
type call struct {
	CallOptions
	f      *Function
	tape   *grad.Tape
	arrays []argument
	view   *nn.Scope // of the scope, as the function sees it
	timed  bool      // x is the first of several
	result *Result
}

// argument is an array among the arguments.
type argument struct {
	path    string
	x       *nd.Array
	version uint32 // before the call
	watched bool
}

// isMeantBy tells whether a name is the array's, or that of the list that it is in.
func (a argument) isMeantBy(name string) bool { return name == a.path || name == rootOf(a.path) }

// run makes the Go arguments and calls the Go function.
func (c *call) run(all map[string]any) error {
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
		if len(c.wanted(name)) == 0 && !c.f.scoped { // parameters may be created by the call
			return c.f.misuse("a gradient is wanted of %s, which is no array among the arguments", name)
		}
	}
	var failed error
	c.result.Values, err = Try(func() (all []any) {
		all, failed = c.each(in, xs)
		return all
	})
	if err == nil {
		err = failed
	}
	if len(c.arrays) == 0 { // an adapter may have no option for the device
		for i, v := range c.result.Values {
			if x, ok := v.(*nd.Array); ok {
				c.result.Values[i] = Place(x, c.Device)
			}
		}
	}
	return c.checkWrites(err)
}

// pass takes an array among the arguments to the device, and watches it where its gradient is wanted.
func (c *call) pass(path string, x *nd.Array) *nd.Array {
	if c.timed && path == "x" {
		path = timePath(0)
	}
	a := argument{path: path, x: Place(x, c.Device)}
	if isTracked(a.x) {
		if slices.ContainsFunc(c.Gradients, a.isMeantBy) {
			if c.f.Row.FloatGradients && a.x.DType().IsInteger() {
				a.x = a.x.AsType(dtype.Float32)
			}
			a.x, a.watched = c.tape.Watch(a.x), true
		}
		a.version = a.x.Version()
	}
	c.arrays = append(c.arrays, a)
	c.result.Arguments[path] = a.x
	return a.x
}

// isTracked tells whether an array has memory of its own, which may be written to.
func isTracked(x *nd.Array) bool { return x != nil && !x.IsScalar() && !x.IsReleased() }

// checkWrites notes which arguments were changed. It returns err, or where there is none or a refusal, what is wrong about
// the writes.
func (c *call) checkWrites(err error) error {
	for _, a := range c.arrays {
		if !isTracked(a.x) || a.x.Version() == a.version {
			continue
		}
		c.result.Written[a.path] = a.x
		switch refusal, refused := err.(*Refusal); {
		case refused && refusal.Late(): // the launch counts as a write, though it wrote nothing
		case refused:
			return fmt.Errorf("it wrote to its argument %s before it refused: %v", a.path, err)
		case err == nil && !c.mayWrite(a):
			return fmt.Errorf("it changed its argument %s, which the row's Writes does not name", a.path)
		}
	}
	return err
}

// mayWrite tells whether the row allows writes to an array, or to another argument that shares its memory.
func (c *call) mayWrite(a argument) bool {
	for _, b := range c.arrays {
		if c.f.Row.MayWrite(b.path) && isTracked(b.x) && b.x.SharesMemory(a.x) {
			return true
		}
	}
	return false
}

// wanted lists the watched arguments that an entry of Gradients means.
func (c *call) wanted(name string) (found []argument) {
	for _, a := range c.arrays {
		if a.watched && a.isMeantBy(name) {
			found = append(found, a)
		}
	}
	if x := c.parameter(name); x != nil {
		found = append(found, argument{path: name, x: x})
	}
	return found
}

// differentiate takes the gradients of the results back to the arguments.
func (c *call) differentiate() error {
	outputs, err := c.result.Arrays()
	if err != nil {
		return err
	}
	if len(c.OutputGradients) > len(outputs) {
		return c.f.misuse("%d results, but %d gradients of them", len(outputs), len(c.OutputGradients))
	}
	var wanted []argument
	var xs []*nd.Array
	for _, name := range c.Gradients {
		for _, a := range c.wanted(name) {
			wanted, xs = append(wanted, a), append(xs, a.x)
		}
	}
	back := c.tape.VJP
	if c.Tape != nil {
		back = c.tape.VJPRecorded
	}
	// An argument that was overwritten is known to the tape as the result of that write: its gradient is the one before.
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

// cotangents pairs the results with the gradients that come in there; nil stands for ones.
func (c *call) cotangents(outputs []*nd.Array) (ys, gys []*nd.Array) {
	for i, y := range outputs {
		switch {
		case y == nil:
		case c.OutputGradients == nil && y.DType().IsInexact():
			ys, gys = append(ys, y), append(gys, nil)
		case i < len(c.OutputGradients) && c.OutputGradients[i] != nil:
			ys, gys = append(ys, y), append(gys, Place(c.OutputGradients[i], y.Device()).AsType(y.DType()))
		}
	}
	return ys, gys
}

// keep takes what the call returns out of the care of its own tape.
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
