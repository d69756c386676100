package runner

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/testing/conformance/compare"
)

// sameArray compares an array with the recorded one, element by element. A bfloat16 is recorded as a float32.
func sameArray(got, want *nd.Array) error {
	if got == nil || want == nil {
		return fmt.Errorf("%v, want %v", got, want)
	}
	if got.DType() == dtype.BFloat16 && want.DType() == dtype.Float32 {
		got = got.AsType(dtype.Float32)
	}
	return compare.Identical(got, want)
}

// mxnetFiles reads the .params files of params.json, and what SaveMXNet makes of them.
func mxnetFiles(dir string, _ device.Device) (cases []Outcome, err error) {
	var files []struct {
		File   string
		Arrays []struct{ Name string }
	}
	if err := readJSON(filepath.Join(dir, "params.json"), &files); err != nil {
		return nil, err
	}
	for _, file := range files {
		check := func() error {
			path := filepath.Join(dir, file.File)
			got, err := nd.LoadMXNet(path)
			if err != nil {
				return err
			}
			want, err := nd.LoadNpz(path + ".npz")
			if err != nil {
				return err
			}
			if len(got) != len(file.Arrays) {
				return fmt.Errorf("%d arrays, want %d", len(got), len(file.Arrays))
			}
			var again strings.Builder
			if err := nd.WriteMXNet(&again, got); err != nil {
				return err
			}
			reread, err := nd.ReadMXNet(strings.NewReader(again.String()))
			if err != nil {
				return err
			}
			for i, a := range file.Arrays {
				key := a.Name
				if key == "" {
					key = strconv.Itoa(i)
				}
				for _, x := range []nd.Named{got[i], reread[i]} {
					if x.Name != a.Name {
						return fmt.Errorf("array %d is named %q, want %q", i, x.Name, a.Name)
					}
					if err := sameArray(x.Array, want.Get(key)); err != nil {
						return fmt.Errorf("array %q: %w", key, err)
					}
				}
			}
			return nil
		}
		cases = append(cases, Outcome{ID: file.File, Forward: check()})
	}
	return cases, nil
}

// safetensorsFiles reads each .safetensors file. Arrays that its .npz file lacks have a dtype that no array has: reading
// them is an error.
func safetensorsFiles(dir string, _ device.Device) (cases []Outcome, err error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.safetensors"))
	for _, path := range paths {
		cases = append(cases, Outcome{ID: filepath.Base(path), Forward: checkSafetensors(path)})
	}
	return cases, err
}

func checkSafetensors(path string) error {
	file, err := nd.OpenSafetensors(path)
	if err != nil {
		return err
	}
	defer file.Close()
	recorded := strings.TrimSuffix(path, ".safetensors") + ".npz"
	var want nd.NamedArrays
	if _, err := os.Stat(recorded); err == nil {
		if want, err = nd.LoadNpz(recorded); err != nil {
			return err
		}
		if got := len(file.Names()); got < len(want) {
			return fmt.Errorf("%d arrays, want at least %d", got, len(want))
		}
	}
	readable := 0
	for _, name := range file.Names() {
		x, err := file.Read(name)
		if w := want.Get(name); w != nil {
			if err == nil {
				err = sameArray(x, w)
			}
			if err != nil {
				return fmt.Errorf("array %q: %w", name, err)
			}
		}
		if err == nil {
			readable++
		}
	}
	if want == nil && readable == len(file.Names()) {
		return fmt.Errorf("all %d arrays were read, want a refusal of one", readable)
	}
	return nil
}
