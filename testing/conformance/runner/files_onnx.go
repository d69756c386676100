package runner

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/model"
	"github.com/ndgrad/ndgrad/nn/onnx"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
)

// onnxRecord is a model in a zip archive of cases, in the layout of ONNX's backend tests.
type onnxRecord struct {
	Name       string
	RTol, ATol float64
	Random     bool // the outputs are draws: only their shapes and dtypes are compared
	Ops        []string
}

// onnxFiles runs the models in the archives of a folder.
func onnxFiles(dir string, dev device.Device) (cases []Outcome, err error) {
	archives, err := filepath.Glob(filepath.Join(dir, "*.zip"))
	if err != nil {
		return nil, err
	}
	for _, path := range archives {
		z, err := zip.OpenReader(path)
		if err != nil {
			return nil, err
		}
		some, err := onnxArchive(strings.TrimSuffix(filepath.Base(path), ".zip"), &z.Reader, dev)
		z.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		cases = append(cases, some...)
	}
	return cases, nil
}

func onnxArchive(suite string, z *zip.Reader, dev device.Device) (cases []Outcome, err error) {
	files := map[string]*zip.File{}
	for _, f := range z.File {
		files[f.Name] = f
	}
	read := func(name string) ([]byte, error) {
		f, ok := files[name]
		if !ok {
			return nil, fmt.Errorf("no file %s", name)
		}
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return io.ReadAll(r)
	}
	text, err := read("index.json")
	if err != nil {
		return nil, err
	}
	var records []onnxRecord
	if err := json.Unmarshal(text, &records); err != nil {
		return nil, err
	}
	for _, r := range records {
		o := Outcome{ID: suite + "/" + r.Name}
		if dev != nil && dev.Name() == "ref" && strings.HasPrefix(r.Name, "net_") {
			o.Skipped = "it takes too long on the reference device"
		} else {
			o.Forward = r.check(read, dev)
		}
		cases = append(cases, o)
	}
	return cases, nil
}

// check runs the model on its recorded inputs.
func (r *onnxRecord) check(read func(string) ([]byte, error), dev device.Device) error {
	data, err := read(r.Name + "/model.onnx")
	if err != nil {
		return err
	}
	f, err := onnx.Read(data)
	if err != nil {
		return err
	}
	m, err := f.Model(onnx.LoadOptions{Params: nn.NewScope(nn.ScopeOptions{Device: dev})})
	if err != nil {
		return err
	}
	for k := 0; ; k++ {
		set := fmt.Sprintf("%s/test_data_set_%d/", r.Name, k)
		values := func(kind string, infos []onnx.Info) (all []model.Value, err error) {
			for i, info := range infos {
				data, err := read(fmt.Sprintf("%s%s_%d.pb", set, kind, i))
				if err != nil {
					return all, err
				}
				v, err := info.Type.Read(data)
				if err != nil {
					return all, fmt.Errorf("%s_%d: %w", kind, i, err)
				}
				all = append(all, v)
			}
			return all, nil
		}
		want, err := values("output", f.Outputs())
		if err != nil {
			if k > 0 && len(want) == 0 {
				return nil
			}
			return err
		}
		in, err := values("input", f.Inputs())
		if err != nil && len(in) == 0 && len(f.Inputs()) > 0 {
			return err
		}
		if err := r.run(m, in, want, dev); err != nil {
			return err
		}
	}
}

func (r *onnxRecord) run(m *model.Model, in, want []model.Value, dev device.Device) error {
	inputs := map[string]model.Value{}
	for i, v := range in {
		if x, ok := v.(*nd.Array); ok {
			v = catalogue.OnDevice(x, dev)
		}
		inputs[m.Inputs()[i].Name] = v
	}
	var out []model.Value
	m = m.In(m.Params().WithRand(nd.NewRand(1)))
	if err := nd.Catch(func() { out = m.CallValues(inputs) }); err != nil {
		return err
	}
	tol := compare.Tolerance{RTol: r.RTol, ATol: r.ATol, DType: true}
	for i, w := range want {
		if x, ok := w.(*nd.Array); ok && slices.Contains(r.Ops, "DFT") && x.Size() > 0 {
			// The errors of a Fourier transform, here those of the recorded result, are relative to the largest number.
			tol.ATol = max(tol.ATol, dtype.Info(x.DType()).Eps*ops.Max(ops.Absolute(x)).Float())
		}
		if x, ok := w.(*nd.Array); ok && r.Random {
			w = nd.ZerosLike(x)
			out[i] = nd.ZerosLike(out[i].(*nd.Array))
		}
		if err := sameValue(tol, out[i], w); err != nil {
			return fmt.Errorf("output %d: %w", i, err)
		}
	}
	return nil
}

// sameValue compares values of any kind.
func sameValue(tol compare.Tolerance, got, want model.Value) error {
	switch want := want.(type) {
	case *nd.Array:
		x, ok := got.(*nd.Array)
		if !ok {
			return fmt.Errorf("a %T, want an array", got)
		}
		return tol.Compare(x, want)
	case onnx.Narrow:
		x, ok := got.(onnx.Narrow)
		if !ok || x.Type != want.Type {
			return fmt.Errorf("a %T, want a tensor of type %s", got, want.Type)
		}
		return compare.Tolerance{DType: true}.Compare(x.Array, want.Array)
	case onnx.Texts:
		t, ok := got.(onnx.Texts)
		if !ok || !slices.Equal(t.Shape, want.Shape) || !slices.Equal(t.Values, want.Values) {
			return fmt.Errorf("%v, want %v", got, want)
		}
	case onnx.Sequence:
		s, ok := got.(onnx.Sequence)
		if !ok || len(s) != len(want) {
			return fmt.Errorf("%v, want %d values", got, len(want))
		}
		for i := range s {
			if err := sameValue(tol, s[i], want[i]); err != nil {
				return fmt.Errorf("value %d: %w", i, err)
			}
		}
	case onnx.None:
		if got != want {
			return errors.New("a value, want none")
		}
	}
	return nil
}
