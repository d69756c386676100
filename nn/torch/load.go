package torch

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
)

// Load sets the parameters below a scope to the values of a state dict: in a file of torch.save, in a TorchScript archive, in
// a .safetensors file, or in an index of several (.json). The scope must have its parameters, which a first call of the model
// creates. The package comment says which tensors they are.
//
// Values are converted to the parameters' dtypes by same_kind casting. It is an error if a tensor is missing, has another
// shape, or belongs to no parameter, unless Options.Report takes these names. On an error nothing changes.
// PyTorch: nn.Module.load_state_dict.
func Load(path string, scope *nn.Scope, opts ...Options) error {
	const fn nd.Func = "torch.Load"
	o := options.Read(fn, opts)
	if err := o.load(path, scope); err != nil {
		return fmt.Errorf("%s: %s: %w", fn, path, err)
	}
	return nil
}

func (o *Options) load(path string, scope *nn.Scope) (err error) {
	layouts, err := o.layouts(scope)
	if err != nil {
		return err
	}
	d, err := openDict(path, o.Prefix)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	rest := map[string]bool{}
	for _, name := range d.names {
		rest[name] = !strings.HasSuffix("."+name, ".num_batches_tracked")
	}
	var report nn.LoadReport
	var errs []error
	var fit []layout
	for _, l := range layouts {
		known := len(errs) + len(report.Missing)
		for _, t := range l.tensors {
			if _, ok := rest[t.name]; !ok {
				report.Missing = append(report.Missing, t.name)
				continue
			}
			rest[t.name] = false
			if err := l.check(t, d); err != nil {
				errs = append(errs, err)
			}
		}
		if known == len(errs)+len(report.Missing) {
			fit = append(fit, l)
		}
	}
	for _, name := range d.names {
		if rest[name] {
			report.Unused = append(report.Unused, name)
		}
	}
	if o.Report == nil {
		for _, name := range report.Missing {
			errs = append(errs, fmt.Errorf("%q is missing", name))
		}
		for _, name := range report.Unused {
			errs = append(errs, fmt.Errorf("no parameter is %q", name))
		}
	}
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	var values [][]*nd.Array
	for _, l := range fit {
		var read []*nd.Array
		for _, t := range l.tensors {
			x, err := d.read(t.name)
			if err != nil {
				return err
			}
			read = append(read, x)
		}
		values = append(values, l.fromTorch(read))
	}
	for i, l := range fit {
		for k, p := range l.params {
			p.Value().Assign(values[i][k].AsType(p.Value().DType()).To(p.Value().Device()))
		}
	}
	if o.Report != nil {
		*o.Report = report
	}
	return nil
}

// check reports whether a tensor of the file has the values of the parameters.
func (l *layout) check(t tensor, d *stateDict) error {
	dt, shape, err := d.info(t.name)
	if err != nil {
		return err
	}
	p := l.params[0]
	if !t.fits(shape) {
		return fmt.Errorf("%q has shape %s, want %s for the parameter %q", t.name, broadcast.FormatShape(shape), broadcast.FormatShape(t.shape), p.Path())
	}
	if want := p.Value().DType(); !dtype.CanCast(dt, want, dtype.CastSameKind) {
		return fmt.Errorf("%q has dtype %s, which same_kind casting does not convert to %s", t.name, dt, want)
	}
	return nil
}
