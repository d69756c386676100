package mpi

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// launcher is the program that started the ranks, as the environment tells.
type launcher struct {
	variable string // that says so; empty if nothing says it
	size     int    // 0 if unknown
	openMPI  bool   // it is Open MPI's
	hydra    bool   // it is MPICH's
}

// launchedBy reads the environment.
func launchedBy(lookup func(string) (string, bool)) launcher {
	number := func(name string) int {
		text, _ := lookup(name)
		n := 0
		if _, err := fmt.Sscan(text, &n); err != nil {
			return 0
		}
		return n
	}
	for _, l := range []launcher{{variable: "OMPI_COMM_WORLD_SIZE", openMPI: true}, {variable: "PMI_SIZE", hydra: true}} {
		if l.size = number(l.variable); l.size > 0 {
			return l
		}
	}
	if _, ok := lookup("PMIX_RANK"); ok {
		return launcher{variable: "PMIX_RANK", size: number("SLURM_STEP_NUM_TASKS")}
	}
	return launcher{}
}

// libraryNames returns the names of files to look for, in the order of preference. The last ones do not fit: they are
// loaded only to say which they are.
func (l launcher) libraryNames() []string {
	abi, open, others := []string{"libmpi_abi.so.1", "libmpi_abi.so.0"}, []string{"libmpi.so.40"}, []string{"libmpi.so.12", "libmpich.so.12"}
	if runtime.GOOS == "darwin" {
		abi, open, others = []string{"libmpi_abi.1.dylib", "libmpi_abi.0.dylib"}, []string{"libmpi.40.dylib"}, []string{"libmpi.12.dylib"}
	}
	switch {
	case l.openMPI: // that of Open MPI 6 has the old name for the old interface, and libmpi_abi too
		return slices.Concat(open, abi, others)
	case l.hydra:
		return slices.Concat(abi, others)
	}
	return slices.Concat(open, abi, others)
}

// folders returns the folders to look in: those beside the program that started this process, and those beside mpirun.
// The last is empty, for the folders of the system.
func folders() []string {
	var programs, all []string
	if parent, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", os.Getppid())); err == nil {
		programs = append(programs, parent)
	}
	for folder := range strings.SplitSeq(os.Getenv("PATH"), string(os.PathListSeparator)) {
		for _, name := range []string{"mpirun", "mpiexec"} {
			if program, err := filepath.EvalSymlinks(filepath.Join(folder, name)); err == nil {
				programs = append(programs, program)
			}
		}
	}
	for _, program := range programs {
		for _, folder := range []string{"lib", "lib64"} {
			all = append(all, filepath.Join(filepath.Dir(filepath.Dir(program)), folder))
		}
	}
	if runtime.GOOS == "darwin" {
		all = append(all, "/opt/homebrew/lib", "/usr/local/lib")
	}
	return append(all, "")
}

// find loads the library that fits the launcher.
func find(by launcher) (*library, error) {
	refused := map[string]bool{}
	var reasons []string
	for _, name := range by.libraryNames() {
		for _, folder := range folders() {
			path := name
			if folder != "" {
				path = filepath.Join(folder, name)
				if _, err := os.Stat(path); err != nil {
					continue
				}
			}
			l, err := loadFrom(path)
			if err == nil {
				return l, nil
			}
			if folder == "" && isMissing(err) || refused[path] {
				continue
			}
			refused[path] = true
			reasons = append(reasons, path+": "+err.Error())
		}
	}
	if reasons == nil {
		return nil, fmt.Errorf("no library of MPI is found (looked for %s in the folders of the system and beside mpirun): %s", strings.Join(by.libraryNames(), ", "), install)
	}
	return nil, errors.New("no library of MPI fits: " + strings.Join(reasons, "; ") + ": " + install)
}

// isMissing reports whether an error of the loader only says that the system has no file of that name.
func isMissing(err error) bool {
	text := err.Error()
	return strings.Contains(text, "No such file") || strings.Contains(text, "no such file")
}
