package mpi

import (
	"slices"
	"strings"
	"testing"
)

func TestLaunchedBy(t *testing.T) {
	for _, c := range []struct {
		environment string
		want        launcher
	}{
		{"", launcher{}},
		{"OMPI_COMM_WORLD_SIZE=4 PMIX_RANK=1", launcher{variable: "OMPI_COMM_WORLD_SIZE", size: 4, openMPI: true}},
		{"PMI_RANK=0 PMI_SIZE=2", launcher{variable: "PMI_SIZE", size: 2, hydra: true}},
		{"PMIX_RANK=3 SLURM_STEP_NUM_TASKS=8", launcher{variable: "PMIX_RANK", size: 8}},
		{"SLURM_NTASKS=8", launcher{}},
	} {
		got := launchedBy(func(name string) (string, bool) {
			for _, v := range strings.Fields(c.environment) {
				if value, ok := strings.CutPrefix(v, name+"="); ok {
					return value, true
				}
			}
			return "", false
		})
		if got != c.want {
			t.Errorf("%q: %+v, want %+v", c.environment, got, c.want)
		}
		names := got.libraryNames()
		open := slices.IndexFunc(names, func(n string) bool { return strings.Contains(n, "40") })
		if (open == 0) == c.want.hydra || c.want.hydra && open >= 0 {
			t.Errorf("%q: looks for %v", c.environment, names)
		}
	}
}

func TestShortVersion(t *testing.T) {
	for text, want := range map[string]string{
		"Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4":  "Open MPI 4.1.4",
		"MPICH Version:      5.0.2\nMPICH Release date: Fri":      "MPICH 5.0.2",
		"MPICH Version:\t4.0.2\nMPICH Release date:":              "MPICH 4.0.2",
		"Intel(R) MPI Library 2021.11 for Linux* OS\n":            "Intel(R) MPI Library 2021.11 for Linux* OS",
		"MVAPICH Version      :	3.0\nMVAPICH Release date : 2024": "MVAPICH 3.0",
	} {
		if got := shortVersion(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
