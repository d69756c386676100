package nd_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
)

// nilReceivers are the types whose methods must refuse a nil pointer. notLacked are the other types with methods on
// pointers, and the reasons why these need no check.
var (
	nilReceivers = []any{(*nd.Array)(nil), (*nd.Arena)(nil), (*nd.Rand)(nil)}
	notLacked    = map[string]string{
		"Error":        "a nil error means no error",
		"Flat":         "made by the functions that call it",
		"Launch":       "made by the functions that run it",
		"Node":         "passed to recorders, and nil if nothing is recorded",
		"Call":         "passed to operations",
		"Trace":        "nil only if another one runs",
		"Temporaries":  "made by Func.Temporaries, for one call",
		"Npz":          "nil only together with an error",
		"TorchFile":    "nil only together with an error",
		"Safetensors":  "nil only together with an error",
		"HDF5":         "nil only together with an error",
		"HDF5Writer":   "comes from NewHDF5Writer",
		"NpyRows":      "nil only together with an error",
		"NpyRowWriter": "nil only together with an error",
		"NpzWriter":    "comes from NewNpzWriter",
	}
	ofNothing = map[string]string{
		"Array.Release": "releases nothing",
		"Arena.Release": "releases nothing",
		"Array.Format":  "prints <nil>",
	}
)

func saysNil(message string) bool {
	return strings.Contains(message, "nil") || strings.Contains(message, "no stream")
}

func TestNilMeansNothing(t *testing.T) {
	(*nd.Array)(nil).Release()
	(*nd.Arena)(nil).Release()
	if got := fmt.Sprint((*nd.Array)(nil)); got != "<nil>" {
		t.Errorf("nil prints %q", got)
	}
}

// TestMethodsRefuseNil calls every method of a nil pointer: the error must name the method.
func TestMethodsRefuseNil(t *testing.T) {
	for _, receiver := range nilReceivers {
		v := reflect.ValueOf(receiver)
		typeName := v.Type().Elem().Name()
		for i := range v.NumMethod() {
			name := typeName + "." + v.Type().Method(i).Name
			if ofNothing[name] != "" {
				continue
			}
			call := v.Method(i)
			var args []reflect.Value
			for k := range call.Type().NumIn() {
				if !call.Type().IsVariadic() || k+1 < call.Type().NumIn() {
					args = append(args, reflect.Zero(call.Type().In(k)))
				}
			}
			var refused *nd.Error
			if err := panicOf(func() { call.Call(args) }); !errors.As(err, &refused) {
				t.Errorf("%s of nil: %v, want an error", name, err)
			} else if string(refused.Func) != name || !saysNil(refused.Msg) {
				t.Errorf("%s of nil: %v, want an error of that name, about that", name, err)
			}
		}
	}
}

// TestFuncRefusesNil: the methods of a Func refuse nil with errors of that Func's name.
func TestFuncRefusesNil(t *testing.T) {
	const fn nd.Func = "test.f"
	x := nd.Ones([]int{2})
	for name, f := range map[string]func(){
		"Check":         func() { fn.Check(x, nil) },
		"CheckWritable": func() { fn.CheckWritable(nil) },
		"Nonzero":       func() { fn.Nonzero(nil) },
		"SumTo":         func() { fn.SumTo(nil, nil) },
		"AddAt":         func() { fn.AddAt(x, nil, nd.Pick(nd.ArangeInt(0, 1, 1))) },
		"AddAtInPlace":  func() { fn.AddAtInPlace(nil, x, nd.Pick(nd.ArangeInt(0, 1, 1))) },
		"Random":        func() { fn.Random(nil, device.DistributionUniform, []int{2}) },
		"Coins":         func() { fn.Coins(nil, 0.5, []int{2}, x) },
	} {
		var refused *nd.Error
		if err := panicOf(f); !errors.As(err, &refused) || refused.Func != fn || !saysNil(refused.Msg) {
			t.Errorf("%s: %v, want an error of that name, about that", name, err)
		}
	}
}

// panicOf returns the panic of f, which need not be an *nd.Error.
func panicOf(f func()) (err error) {
	defer func() {
		if e := recover(); e != nil {
			err, _ = e.(error)
		}
	}()
	f()
	return nil
}

// TestNilReceiversAreAll finds exported types with methods on pointers that TestMethodsRefuseNil does not know.
func TestNilReceiversAreAll(t *testing.T) {
	known := maps.Clone(notLacked)
	for _, receiver := range nilReceivers {
		known[reflect.TypeOf(receiver).Elem().Name()] = "swept"
	}
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var unknown []string
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			method, ok := decl.(*ast.FuncDecl)
			if !ok || method.Recv == nil || !method.Name.IsExported() {
				continue
			}
			pointer, ok := method.Recv.List[0].Type.(*ast.StarExpr)
			if !ok {
				continue
			}
			if name := pointer.X.(*ast.Ident).Name; ast.IsExported(name) && known[name] == "" && !slices.Contains(unknown, name) {
				unknown = append(unknown, name)
			}
		}
	}
	if unknown != nil {
		t.Errorf("types with methods on pointers that are not called on nil: %v", unknown)
	}
}
