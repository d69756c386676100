package runner

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/nnabla"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
)

// nnpRecord is a network that NNabla has saved and run.
type nnpRecord struct {
	File    string
	Network string
	Inputs  map[string][]int
	Outputs map[string][]int
}

// nnpFiles loads the networks of a folder and compares their outputs with those that NNabla computed. The parameters
// are on dev.
func nnpFiles(dir string, dev device.Device) (cases []Outcome, err error) {
	var records []nnpRecord
	if err := readJSON(filepath.Join(dir, "nnp.json"), &records); err != nil {
		return nil, err
	}
	for _, r := range records {
		cases = append(cases, Outcome{ID: r.File, Forward: r.check(dir, dev)})
	}
	return cases, nil
}

// check runs the network as it was saved, and as it is saved here.
func (r *nnpRecord) check(dir string, dev device.Device) error {
	arrays, err := nd.LoadNpz(filepath.Join(dir, strings.TrimSuffix(r.File, ".nnp")+".npz"))
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "nnp")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(dir, r.File)
	f, err := nnabla.Open(path)
	if err != nil {
		return err
	}
	paths := []string{path}
	for _, name := range []string{"again.nnp", "again.nntxt"} {
		again := filepath.Join(folder, name)
		if err := f.Save(again); err != nil {
			return err
		}
		paths = append(paths, again)
	}
	for _, path := range paths {
		if err := r.run(path, arrays, dev); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
	}
	return nil
}

// run loads the network and compares its outputs with the arrays.
func (r *nnpRecord) run(path string, arrays nd.NamedArrays, dev device.Device) error {
	params := nn.NewScope(nn.ScopeOptions{Device: dev})
	m, err := nnabla.Load(path, nnabla.LoadOptions{Params: params})
	if err != nil {
		return err
	}
	inputs := map[string]*nd.Array{}
	for name := range r.Inputs {
		inputs[name] = arrays.Get("in/" + name).To(params.Device())
	}
	names := slices.Sorted(maps.Keys(r.Outputs))
	var outputs []*nd.Array
	if err := nd.Catch(func() { outputs = m.Call(inputs, names...) }); err != nil {
		return err
	}
	tol := compare.Tolerance{RTol: 1e-4, ATol: 1e-5}
	if strings.HasPrefix(r.File, "quantized") { // a rounding edge may be met
		tol.ATol = 1e-3
	}
	for k, name := range names {
		if err := tol.Compare(outputs[k], arrays.Get("out/"+name)); err != nil {
			return fmt.Errorf("output %q: %w", name, err)
		}
	}
	return nil
}

// nnablaRecord is files.json of the folder nnabla_files.
type nnablaRecord struct {
	Registered, Many []nnablaParameter
	Block1           []string `json:"block1_scope"`
}

type nnablaParameter struct {
	Path     string
	Shape    []int
	NeedGrad bool `json:"need_grad"`
}

// nnablaFiles reads the files of parameters, networks and solver states of a folder, and compares them with NNabla's
// values. It writes them again and reads the copies. Files that are missing in the folder are left out.
func nnablaFiles(dir string, dev device.Device) (cases []Outcome, err error) {
	var want nnablaRecord
	if err := readJSON(filepath.Join(dir, "files.json"), &want); err != nil {
		return nil, err
	}
	model, err := nd.LoadNpz(filepath.Join(dir, "model.npz"))
	if err != nil {
		return nil, err
	}
	add := func(file, what string, check func(path string) error) {
		path := filepath.Join(dir, file)
		if _, err := os.Stat(path); err == nil {
			cases = append(cases, Outcome{ID: file + what, Forward: check(path)})
		}
	}
	values := prefixed{model, "params."}
	for _, file := range []string{"model.h5", "model.protobuf", "model.nntxt", "model.nnp", "model_protobuf.nnp"} {
		add(file, "", func(path string) error { return checkParameters(path, dev, want.Registered, values) })
	}
	for _, file := range []string{"model.nntxt", "model.nnp", "model_protobuf.nnp"} {
		add(file, ", the network", func(path string) error {
			m, err := nnabla.Load(path)
			if err != nil {
				return err
			}
			var y *nd.Array
			if err := nd.Catch(func() { y = m.Call(map[string]*nd.Array{"x": model.Get("x")})[0] }); err != nil {
				return err
			}
			return compare.Tolerance{RTol: 1e-4, ATol: 1e-5}.Compare(y, model.Get("y"))
		})
	}
	var block []nnablaParameter
	for _, p := range want.Registered {
		if name, ok := strings.CutPrefix(p.Path, "block1/"); ok {
			p.Path = name
			block = append(block, p)
		}
	}
	add("block1_scope.h5", "", func(path string) error {
		return checkParameters(path, dev, block, prefixed{model, "params.block1/"})
	})
	for _, file := range []string{"many.h5", "many.protobuf"} {
		add(file, "", func(path string) error {
			many, err := nd.LoadNpz(filepath.Join(dir, "many.npz"))
			if err != nil {
				return err
			}
			return checkParameters(path, dev, want.Many, prefixed{many, "params."})
		})
	}
	for _, file := range []string{"adam_states.h5", "adam_states.protobuf"} {
		add(file, "", func(path string) error { return checkStates(path, filepath.Join(dir, "model.h5")) })
	}
	return cases, nil
}

// prefixed are arrays whose names begin with a prefix.
type prefixed struct {
	arrays nd.NamedArrays
	prefix string
}

// checkParameters loads parameters, and again from copies in each format.
func checkParameters(path string, dev device.Device, want []nnablaParameter, values prefixed) error {
	folder, err := os.MkdirTemp("", "parameters")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	paths := []string{path}
	for _, name := range []string{"p.h5", "p.protobuf", "p.nntxt", "p.nnp"} {
		paths = append(paths, filepath.Join(folder, name))
	}
	for i, path := range paths {
		scope := nn.NewScope(nn.ScopeOptions{Device: dev})
		if err := nnabla.LoadParameters(path, scope); err != nil {
			return err
		}
		if err := compareParameters(scope, want, values); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
		if i+1 < len(paths) {
			if err := nnabla.SaveParameters(paths[i+1], scope); err != nil {
				return err
			}
		}
	}
	return nil
}

func compareParameters(scope *nn.Scope, want []nnablaParameter, values prefixed) error {
	names := scope.Names()
	if len(names) != len(want) {
		return fmt.Errorf("%d parameters, want %d", len(names), len(want))
	}
	for _, w := range want {
		p := scope.Param(w.Path)
		if p == nil || p.NeedGrad() != w.NeedGrad || !slices.Equal(p.Value().Shape(), w.Shape) {
			return fmt.Errorf("the parameter %q is missing, or has another shape or need_grad", w.Path)
		}
		recorded := values.arrays.Get(values.prefix + w.Path)
		if recorded == nil {
			return fmt.Errorf("no values of the parameter %q are recorded", w.Path)
		}
		if err := (compare.Tolerance{}).Compare(p.Value(), recorded); err != nil {
			return fmt.Errorf("the parameter %q: %w", w.Path, err)
		}
	}
	return nil
}

// checkStates loads states of Adam, and again from copies in both formats.
func checkStates(path, parameters string) error {
	scope := nn.NewScope()
	if err := nnabla.LoadParameters(parameters, scope); err != nil {
		return err
	}
	want, err := nd.LoadNpz(filepath.Join(filepath.Dir(path), "adam_states.npz"))
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "states")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	for _, next := range []string{"s.h5", "s.protobuf", ""} {
		adam := optim.NewAdam()
		if err := nnabla.LoadStates(path, adam, scope); err != nil {
			return err
		}
		states := adam.State(scope)
		if len(states) != len(want) {
			return fmt.Errorf("%d states, want %d", len(states), len(want))
		}
		for _, w := range want {
			x := states.Get(w.Name)
			if x == nil {
				return fmt.Errorf("the state %q is missing", w.Name)
			}
			if err := (compare.Tolerance{}).Compare(x, w.Array); err != nil {
				return fmt.Errorf("the state %q: %w", w.Name, err)
			}
		}
		if adam.Updates() != 3 {
			return errors.New("the solver has not counted three updates")
		}
		if next != "" {
			path = filepath.Join(folder, next)
			if err := nnabla.SaveStates(path, adam, scope); err != nil {
				return err
			}
		}
	}
	return nil
}
