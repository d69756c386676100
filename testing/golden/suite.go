package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Suite is a folder of golden cases.
type Suite struct{ Name, Dir string }

// Kind is the layout of a suite's folder.
type Kind int

// The kinds of suites.
const (
	Functions Kind = iota + 1 // one file per function, called with arguments
	Exercises                 // one file per name: code for training links, run as the cases say
	Solvers                   // one file per solver, solver method or schedule: training steps
	Trainings                 // one file per net: some training steps
	Accuracy                  // tables of correctly rounded values, in index.json
	NpyFiles                  // files in NumPy's formats, in manifest.json
	Files                     // files that another system wrote
)

// kinds are the known suites.
var kinds = map[string]Kind{
	"cupy": Functions, "numpy": Functions, "nnabla": Functions, "mxnet": Functions, "torch": Functions,
	"chainer_functions": Functions, "chainer_variable": Functions,
	"nnabla_parametric": Functions, "nnabla_solvers": Solvers, "nnabla_training": Trainings,
	"chainer_links": Functions, "chainer_training": Exercises,
	"accuracy": Accuracy, "accuracy64": Accuracy,
	"npy_files":    NpyFiles,
	"nnabla_files": Files, "chainer_files": Files,
}

// Kind returns the layout of the suite.
func (s Suite) Kind() Kind { return kinds[s.Name] }

// Suites returns the suite in dir if dir has the name of a suite, otherwise the suites in the folders of dir, sorted by
// name.
func Suites(dir string) ([]Suite, error) {
	full, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if name := filepath.Base(full); kinds[name] != 0 && !holdsSuites(dir) {
		return []Suite{{name, dir}}, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var all []Suite
	for _, e := range entries {
		if e.IsDir() && kinds[e.Name()] != 0 {
			all = append(all, Suite{e.Name(), filepath.Join(dir, e.Name())})
		}
	}
	if all == nil {
		return nil, fmt.Errorf("%s: want a suite or a folder of suites", dir)
	}
	return all, nil
}

// holdsSuites reports whether a folder, which may itself have the name of a suite, is a folder of suites.
func holdsSuites(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.IsDir() && kinds[e.Name()] != 0 })
}

// Files returns the paths of a case suite's json files, sorted.
func (s Suite) Files() ([]string, error) {
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".json") {
			paths = append(paths, filepath.Join(s.Dir, e.Name()))
		}
	}
	return paths, nil
}
