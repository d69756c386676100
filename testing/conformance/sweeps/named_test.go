package sweeps

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// misuses are calls that functions with array arguments must refuse. The functions are from packages that the catalogue
// does not cover, or not completely.
func misuses(folder string) map[string]func() {
	x, ints := nd.Ones([]int{2, 3}), nd.Ones([]int{2}, dtype.Int64)
	released := nd.Ones([]int{2})
	released.Release()
	var none *nd.Array
	named := []nd.Named{{Name: "x"}}
	tape, scope := grad.NewTape(), nn.NewScope()
	w := tape.Watch(x)
	total := ops.Sum(w)
	sum := func(x *nd.Array) *nd.Array { return ops.Sum(x) }
	sums := func(xs ...*nd.Array) *nd.Array { return ops.Sum(xs[0]) }
	same := func(xs ...*nd.Array) []*nd.Array { return xs }
	return map[string]func(){
		"nd.CopyTo":             func() { nd.CopyTo(make([]float64, 2), x) },
		"nd.Data":               func() { nd.Data[int64](x) },
		"nd.Fill":               func() { nd.Fill(nd.Scalar(1), 2) },
		"nd.ToSlice":            func() { nd.ToSlice[float32](x) },
		"nd.ToRows":             func() { nd.ToRows[float32](x) },
		"nd.ToNested":           func() { nd.ToNested[[]float32](x) },
		"Array.Float":           func() { x.Float() },
		"nd.Value":              func() { nd.Value[float64](x) },
		"nd.WriteNpy":           func() { nd.WriteNpy(nil, none) },
		"nd.WriteRaw":           func() { nd.WriteRaw(nil, none) },
		"nd.SaveNpy":            func() { nd.SaveNpy(filepath.Join(folder, "x.npy"), none) },
		"nd.WriteNpz":           func() { nd.WriteNpz(&strings.Builder{}, named, false) },
		"nd.SaveNpz":            func() { nd.SaveNpz(filepath.Join(folder, "x.npz"), named, false) },
		"NpzWriter.Write":       func() { nd.NewNpzWriter(&strings.Builder{}, false).Write("x", none) },
		"nd.WriteSafetensors":   func() { nd.WriteSafetensors(nil, named, nil) },
		"nd.SaveSafetensors":    func() { nd.SaveSafetensors(filepath.Join(folder, "x.safetensors"), named, nil) },
		"HDF5Writer.Write":      func() { nd.NewHDF5Writer(&strings.Builder{}).Write("x", none) },
		"nd.WriteText":          func() { nd.WriteText(nil, none) },
		"nd.SaveText":           func() { nd.SaveText(filepath.Join(folder, "x.txt"), none) },
		"nd.EmptyLike":          func() { nd.EmptyLike(released) },
		"nd.FullLike":           func() { nd.FullLike(ints, 1<<40, dtype.Int8) },
		"nd.OnesLike":           func() { nd.OnesLike(none) },
		"nd.ZerosLike":          func() { nd.ZerosLike(none) },
		"nd.FromSlice":          func() { nd.FromSlice([]int{1, 2, 3}, 2, 2) },
		"nd.FromSliceOn":        func() { nd.FromSliceOn(nil, []int{1, 2, 3}) },
		"nd.Full":               func() { nd.Full([]int{-1}, 2) },
		"nd.Identity":           func() { nd.Identity(-1) },
		"nd.Meshgrid":           func() { nd.Meshgrid([]*nd.Array{none}) },
		"nd.Ix":                 func() { nd.Ix(none) },
		"nd.FromFunction":       func() { nd.FromFunction([]int{-1}, func(at []*nd.Array) *nd.Array { return at[0] }) },
		"nd.Tidy":               func() { nd.Tidy(none, sum) },
		"Arena.Adopt":           func() { nd.NewArena().Adopt(released) },
		"Arena.Keep":            func() { nd.NewArena().Keep(released) },
		"Arena.Own":             func() { nd.NewArena().Own(none) },
		"Array.Assign":          func() { x.Assign(ints, nd.At(0)) },
		"Array.Index":           func() { x.Index(nd.Pick(x)) },
		"Array.SharesMemory":    func() { x.SharesMemory(none) },
		"Array.With":            func() { x.With(none) },
		"Array.T":               func() { released.T() },
		"Array.ReshapeFortran":  func() { x.ReshapeFortran(4, -1) },
		"grad.Checkpoint":       func() { grad.Checkpoint(func(in []*nd.Array) []*nd.Array { return in }, none) },
		"grad.Grad":             func() { grad.Grad(sum)(none) },
		"Scope.With":            func() { scope.With(map[string]*nd.Array{"w": x}) },
		"grad.HVP":              func() { grad.HVP(sum, x, ints) },
		"grad.Hessian":          func() { grad.Hessian(sum, ints) },
		"grad.JVP":              func() { grad.JVP(sum, x, ints) },
		"grad.Jacobian":         func() { grad.Jacobian(sum, none) },
		"grad.StopGradient":     func() { grad.StopGradient(released) },
		"grad.VJP":              func() { grad.VJP(same, ints) },
		"grad.ValueAndGrad":     func() { grad.ValueAndGrad(sums)(none) },
		"Tape.Gradient":         func() { tape.Gradient(total, x) },
		"Tape.GradientRecorded": func() { tape.GradientRecorded(total, x) },
		"Tape.Keep":             func() { tape.Keep(none) },
		"Tape.VJP":              func() { tape.VJP([]*nd.Array{total}, []*nd.Array{x}, w) },
		"Tape.VJPRecorded":      func() { tape.VJPRecorded([]*nd.Array{total}, nil, none) },
		"Tape.Watch":            func() { tape.Watch(ints) },
		"nn.Affine":             func() { nn.Affine(scope, none, 3) },
		"optim.NewGradients":    func() { optim.NewGradients(scope, map[string]*nd.Array{"w": x}) },
		"LossScaler.Up":         func() { optim.NewLossScaler().Up(ints) },
		"optim.GradientsOf":     func() { optim.GradientsOf(scope, total) },
		"Scope.Set":             func() { scope.Set("w", none) },
	}
}

// namedElsewhere are functions that take arrays and have no entry in misuses.
var namedElsewhere = map[string]string{
	"Arena.ReleaseSince":  "refuses nothing",
	"Function.Call":       "refuses under the name that the program gave",
	"Recomputed.Call":     "refuses under the name that the program gave",
	"NpyRowWriter.Append": "returns an error",
	"Scope.Span":          "refuses nothing: it records arrays",
	"State.Check":         "refuses under the name of the layer",
	"Tape.Called":         "refuses nothing: package nd calls it",
	"Tape.Made":           "refuses nothing: package nd calls it",
	"Tape.Span":           "refuses nothing: it records arrays",
	"Trace.Mark":          "refuses nothing: it marks memory",
	"Trace.Marked":        "refuses nothing: nil is not marked",
	"grad.Describe":       "refuses nothing: it describes nil, too",
	"nd.Pick":             "refuses nothing: the index does",
	"nd.TidyAll":          "nil is allowed for a variable without a value",
	"initializer.Values":  "refuses nothing: the parameter does",
}

// TestRefusalsNameTheFunction misuses functions. The refusal must name the function that was called, not one that it
// calls.
func TestRefusalsNameTheFunction(t *testing.T) {
	calls := misuses(t.TempDir())
	maps.Copy(calls, misusedNorms())
	maps.Copy(calls, misusedLayers())
	for name, call := range calls {
		var e *nd.Error
		if err := nd.Catch(call); !errors.As(err, &e) || string(e.Func) != name {
			t.Errorf("%s is refused with %v, want an *nd.Error with that name", name, err)
		}
	}
	for _, folder := range []string{"nd", "nd/grad", "nn", "nn/initializer", "nn/quant", "nn/optim"} {
		for _, name := range takingArrays(t, folder) {
			if calls[name] == nil && namedElsewhere[name] == "" {
				t.Errorf("%s takes arrays: add a call that it refuses", name)
			}
		}
	}
}

// takingArrays lists the exported functions in a folder that take arrays, and the methods of types that can be named.
// The methods of Array are called by TestMethodsRefuseNil in package nd.
func takingArrays(t *testing.T, folder string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../../..", filepath.FromSlash(folder), "*.go"))
	if err != nil || files == nil {
		t.Fatalf("no files in %s: %v", folder, err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() {
				continue
			}
			owner := parsed.Name.Name
			if f.Recv != nil {
				owner = strings.TrimPrefix(types.ExprString(f.Recv.List[0].Type), "*")
			}
			switch owner {
			case "Array", "Func", "Launch", "Call", "Flat", "Temporaries": // all but the first have the name of their function
				continue
			}
			takes := ast.IsExported(owner) == (f.Recv != nil) && slices.ContainsFunc(f.Type.Params.List, func(p *ast.Field) bool {
				return strings.HasSuffix(types.ExprString(p.Type), "Array")
			})
			if takes {
				names = append(names, owner+"."+f.Name.Name)
			}
		}
	}
	return names
}

// TestRefusalsOfPrograms calls functions in ways in which the refusal has another name than the outermost library
// function.
func TestRefusalsOfPrograms(t *testing.T) {
	x, y := nd.Ones([]int{2, 3}), nd.Ones([]int{2})
	const mine nd.Func = "mine.Half"
	kernel := ops.MustKernel("T x", "T y", "x + 1", ops.KernelOptions{Name: "mine.Next"})
	scope := nn.NewScope()
	scope.Set("w", x)
	value, pull := grad.VJP(func(xs ...*nd.Array) []*nd.Array { return []*nd.Array{ops.Square(xs[0])} }, x)
	for name, call := range map[string]func(){
		"mine.Half":    func() { mine.Check(nil) },
		"mine.Next":    func() { kernel.Call(x, y) },
		"ops.Add":      func() { grad.Jacobian(func(x *nd.Array) *nd.Array { return ops.Add(x, y) }, x) },
		"ops.Multiply": func() { nd.TidyAll(func() { ops.Multiply(x, y) }) },
		"ops.Subtract": func() { defer ops.Subtract(x, y) },
		"grad.VJP":     func() { pull([]*nd.Array{y}); _ = value },
		"ops.Std":      func() { slices.SortFunc([]int{1, 2}, func(a, b int) int { ops.Std(nil); return 0 }) },
		"ops.Divide": func() {
			for range scope.All() {
				ops.Divide(x, y)
			}
		},
		"Array.SwapAxes": func() { f := x.SwapAxes; f(0, 5) },
		"ops.Maximum":    func() { ops.Maximum(2, (*nd.Array)(nil)) },
	} {
		var e *nd.Error
		if err := nd.Catch(call); !errors.As(err, &e) || string(e.Func) != name {
			t.Errorf("refusal of %s: got %v", name, err)
		}
	}
	var e *nd.Error
	err := nd.Catch(func() { ops.PTP(nd.Ones([]int{2}, dtype.Bool)) })
	want := "ops.PTP: it has no meaning for dtype bool [operands of ops.Subtract: bool() bool()]"
	if !errors.As(err, &e) || e.Within != "ops.Subtract" || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
