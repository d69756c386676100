package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/nnabla"
	"github.com/ndgrad/ndgrad/nn/torch"
)

// form is a kind of file, by its name.
type form struct {
	file string
	save func(path string, params *nn.Scope) error
	load func(path string, params *nn.Scope) error
}

func forms() []form {
	loadTorch := func(path string, params *nn.Scope) error {
		fill(params, 0)
		return torch.Load(path, params)
	}
	return []form{
		{"model.npz", nn.Save, func(path string, s *nn.Scope) error { return nn.Load(path, s) }},
		{"model.h5", nn.Save, func(path string, s *nn.Scope) error { return nn.Load(path, s) }},
		{"deflated.h5", func(path string, s *nn.Scope) error {
			return nd.SaveHDF5(path, arrays(s), nd.HDF5Options{Compress: true})
		}, func(path string, s *nn.Scope) error { return nn.Load(path, s) }},
		{"model.safetensors", nn.Save, func(path string, s *nn.Scope) error { return nn.Load(path, s) }},
		{"model.pt", func(path string, s *nn.Scope) error { return torch.Save(path, s) }, loadTorch},
		{"model.params", func(path string, s *nn.Scope) error { return nd.SaveMXNet(path, arrays(s)) }, func(path string, s *nn.Scope) error {
			all, err := nd.LoadMXNet(path)
			for _, n := range all {
				s.Set(n.Name, n.Array)
			}
			return err
		}},
		{"model.protobuf", nnabla.SaveParameters, nnabla.LoadParameters},
		{"model.nntxt", nnabla.SaveParameters, nnabla.LoadParameters},
		{"model.nnp", nnabla.SaveParameters, nnabla.LoadParameters},
	}
}

func arrays(params *nn.Scope) (all nd.NamedArrays) {
	for name, p := range params.All() {
		all = append(all, nd.Named{Name: name, Array: p.Value()})
	}
	return all
}

// fill makes parameters whose elements are all n, some of them larger than the buffers of files.
func fill(params *nn.Scope, n int) {
	for k, size := range []int{200_000, 3, 50_000} {
		params.Set(fmt.Sprintf("p%d/w", k), nd.Full([]int{size}, float32(n), dtype.Float32))
	}
}

// number returns the number that all elements of a file are.
func (f form) number(folder string) (int, error) {
	params := nn.NewScope()
	if err := f.load(filepath.Join(folder, f.file), params); err != nil {
		return 0, err
	}
	want := nn.NewScope()
	fill(want, int(params.Get("p0/w").Float(0)))
	for name, p := range want.All() {
		x := params.Get(name)
		if x == nil || !ops.ArrayEqual(x, p.Value()) {
			return 0, fmt.Errorf("%s: %q does not have the elements that were saved with p0/w", f.file, name)
		}
	}
	return int(want.Get("p0/w").Float(0)), nil
}

// savedFile has the number of the last file that was saved.
const savedFile = "saved"

// saveOn saves files of a form forever, with greater and greater numbers. It notes each number when the file is saved.
func saveOn(folder, file string) error {
	n, err := saved(folder)
	if err != nil {
		return err
	}
	for _, f := range forms() {
		if f.file != file {
			continue
		}
		params := nn.NewScope()
		for n++; ; n++ {
			fill(params, n)
			if err := f.save(filepath.Join(folder, file), params); err != nil {
				return err
			}
			note := filepath.Join(folder, savedFile)
			if err := os.WriteFile(note+"~", []byte(strconv.Itoa(n)), 0o644); err != nil {
				return err
			}
			if err := os.Rename(note+"~", note); err != nil {
				return err
			}
		}
	}
	return fmt.Errorf("no form of file is named %q", file)
}

// saved returns the number that was noted last, 0 if there is none.
func saved(folder string) (int, error) {
	text, err := os.ReadFile(filepath.Join(folder, savedFile))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	} else if err != nil {
		return 0, err
	}
	return strconv.Atoi(string(text))
}

// killSaving kills programs that save files of a form. After each, the file must be the one that was noted, or the next.
func killSaving(f form, times int, rng *rand.Rand) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "killed")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	last := 0
	for k := range times {
		if err := killed(exec.Command(program, "-child", folder, "-file", f.file), time.Duration(20+rng.IntN(100))*time.Millisecond); err != nil {
			return fmt.Errorf("program %d: %w", k, err)
		}
		noted, err := saved(folder)
		if err != nil {
			return err
		}
		n, err := f.number(folder)
		switch {
		case errors.Is(err, fs.ErrNotExist) && noted == 0: // killed before the first file
			continue
		case err != nil:
			return fmt.Errorf("after program %d: %w", k, err)
		case n != noted && n != noted+1:
			return fmt.Errorf("after program %d, %s is number %d, want %d or %d", k, f.file, n, noted, noted+1)
		}
		last = n
	}
	left := 0
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		if name := e.Name(); strings.HasPrefix(name, ".") {
			left++
		}
	}
	if err == nil && last == 0 {
		err = errors.New("no program saved a file: want longer run times")
	}
	fmt.Printf("%s: %d programs killed, %d files saved; %d temporary files left over\n", f.file, times, last, left)
	return err
}
