package golden

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Suite is a folder of golden cases. A folder of suites of files gives its name to them: "files/hdf5".
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
	"nnabla_files": Files,
}

// folders are the folders in which every folder is a suite of files.
var folders = []string{"files", "chainer_files"}

// Kind returns the layout of the suite, or 0 if it is unknown.
func (s Suite) Kind() Kind {
	if folder, _, ok := strings.Cut(s.Name, "/"); ok && slices.Contains(folders, folder) {
		return Files
	}
	return kinds[s.Name]
}

// Suites returns the suite in dir if dir has the name of a suite, otherwise the suites in the folders of dir, sorted by
// name. All folders count, also those of unknown suites, but for hidden ones and those whose names begin with "_". At
// least one suite must be known.
func Suites(dir string) ([]Suite, error) {
	full, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	name, parent := filepath.Base(full), filepath.Base(filepath.Dir(full))
	if slices.Contains(folders, parent) {
		return []Suite{{parent + "/" + name, dir}}, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	prefix := ""
	if slices.Contains(folders, name) {
		prefix = name + "/"
	}
	var all []Suite
	known := false
	for _, e := range entries {
		s := Suite{prefix + e.Name(), filepath.Join(dir, e.Name())}
		if !e.IsDir() || strings.ContainsAny(e.Name()[:1], "._") {
			continue
		}
		if slices.Contains(folders, s.Name) {
			parts, err := Suites(s.Dir)
			if err != nil {
				return nil, err
			}
			all, known = append(all, parts...), true
			continue
		}
		all, known = append(all, s), known || s.Kind() != 0
	}
	switch {
	case known:
		return all, nil
	case kinds[name] != 0:
		return []Suite{{name, dir}}, nil
	}
	return nil, fmt.Errorf("%s: want a suite or a folder of suites", dir)
}

// Open opens the json files of a case suite, sorted by name, and closes each after its turn. An error ends the sequence.
func (s Suite) Open() iter.Seq2[*File, error] {
	return func(yield func(*File, error) bool) {
		entries, err := os.ReadDir(s.Dir)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), ".json") {
				continue
			}
			f, err := Open(filepath.Join(s.Dir, e.Name()))
			if err != nil {
				yield(nil, err)
				return
			}
			more := yield(f, nil)
			err = f.Close()
			if !more {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}
