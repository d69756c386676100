package bench

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/nnabla"
)

// files returns reads and writes of files with one array: of 100 MB, or of 25 MB if it is deflated. Reading makes a new
// array on the CPU. MXNet's and NNabla's parameters are read beside the same array in safetensors. Every side reads files
// that it wrote itself, to the folder for temporary files, where they stay.
func files() (all []Case) {
	for _, k := range fileKinds() {
		all = append(all, k.read())
		if k.writes {
			all = append(all, k.write())
		}
	}
	return all
}

func fileKinds() []fileKind {
	const large, deflated = 5000, 2500 // rows and columns
	named := func(x *nd.Array) nd.NamedArrays { return nd.NamedArrays{{Name: "x", Array: x}} }
	first := func(all nd.NamedArrays, err error) (*nd.Array, error) {
		if err != nil {
			return nil, err
		}
		return all[0].Array, nil
	}
	loadHDF5 := func(path string) (*nd.Array, error) { return first(nd.LoadHDF5(path)) }
	return []fileKind{
		{"hdf5", ".h5", large, true, func(path string, x *nd.Array) error { return nd.SaveHDF5(path, named(x)) }, loadHDF5},
		{"hdf5_gzip", ".h5", deflated, true, func(path string, x *nd.Array) error {
			return nd.SaveHDF5(path, named(x), nd.HDF5Options{Compress: true})
		}, loadHDF5},
		{"npy", ".npy", large, false, nd.SaveNpy, nd.LoadNpy},
		{"npz", ".npz", large, false, func(path string, x *nd.Array) error { return nd.SaveNpz(path, named(x), false) },
			func(path string) (*nd.Array, error) { return first(nd.LoadNpz(path)) }},
		{"safetensors", ".safetensors", large, false, func(path string, x *nd.Array) error { return nd.SaveSafetensors(path, named(x), nil) },
			func(path string) (*nd.Array, error) {
				all, _, err := nd.LoadSafetensors(path)
				return first(all, err)
			}},
		{"torch", ".pt", large, false, func(path string, x *nd.Array) error { return nd.SaveTorch(path, named(x)) },
			func(path string) (*nd.Array, error) { return first(nd.LoadTorch(path)) }},
		{"mxnet", ".params", large, false, func(path string, x *nd.Array) error { return nd.SaveMXNet(path, named(x)) },
			func(path string) (*nd.Array, error) { return first(nd.LoadMXNet(path)) }},
		{"nnabla", ".protobuf", large, false, func(path string, x *nd.Array) error {
			scope := nn.NewScope()
			scope.Set("x", x)
			return nnabla.SaveParameters(path, scope)
		}, func(path string) (*nd.Array, error) {
			scope := nn.NewScope()
			if err := nnabla.LoadParameters(path, scope); err != nil {
				return nil, err
			}
			return scope.Param("x").Value(), nil
		}},
	}
}

// fileKind writes and reads files of a format.
type fileKind struct {
	name, extension string
	side            int  // of the square array in the file
	writes          bool // whether writing is a case, too
	save            func(path string, x *nd.Array) error
	load            func(path string) (*nd.Array, error)
}

func (k fileKind) caseOf(what string, setup func() func() *nd.Array) Case {
	return Case{Name: fmt.Sprintf("files/%s_%s/%dx%d/f32", k.name, what, k.side, k.side), Setup: setup}
}

func (k fileKind) array() *nd.Array { return f32(k.side, k.side) }

func (k fileKind) path() string {
	return filepath.Join(os.TempDir(), fmt.Sprintf("ndgrad-bench-%d%s", os.Getpid(), k.extension))
}

func (k fileKind) read() Case {
	return k.caseOf("read", func() func() *nd.Array {
		path, x := k.path(), k.array()
		if err := k.save(path, x); err != nil {
			panic(err) // such as a disk that is full
		}
		x.Release()
		return func() *nd.Array {
			y, err := k.load(path)
			if err != nil {
				panic(err)
			}
			return y
		}
	})
}

func (k fileKind) write() Case {
	return k.caseOf("write", func() func() *nd.Array {
		path, x := k.path(), k.array()
		return func() *nd.Array {
			if err := k.save(path, x); err != nil {
				panic(err)
			}
			return nil
		}
	})
}
