package comm

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
)

func TestLaunched(t *testing.T) {
	for _, test := range []struct {
		environment map[string]string
		variable    string
		many        bool
	}{
		{nil, "", false},
		{map[string]string{"OMPI_COMM_WORLD_SIZE": "4", "PMIX_RANK": "2"}, "OMPI_COMM_WORLD_SIZE", true},
		{map[string]string{"OMPI_COMM_WORLD_SIZE": "1", "PMIX_RANK": "0"}, "OMPI_COMM_WORLD_SIZE", false},
		{map[string]string{"PMI_SIZE": "2"}, "PMI_SIZE", true},
		{map[string]string{"SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "8"}, "SLURM_STEP_NUM_TASKS", true},
		{map[string]string{"SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "1", "PMIX_RANK": "0"}, "SLURM_STEP_NUM_TASKS", false},
		{map[string]string{"SLURM_NTASKS": "8"}, "", false}, // a batch script is one process
		{map[string]string{"PMIX_RANK": "0"}, "PMIX_RANK", true},
	} {
		variable, many := launched(func(name string) (string, bool) { v, ok := test.environment[name]; return v, ok })
		if variable != test.variable || many != test.many {
			t.Errorf("%v: %s, %v", test.environment, variable, many)
		}
	}
}

// TestOpen: alone, a program is one rank. Started together with others, it needs an engine, and exactly one.
func TestOpen(t *testing.T) {
	for _, name := range []string{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"} {
		t.Setenv(name, "1")
	}
	c, err := Open(t.Context())
	if err != nil || c.Size() != 1 || c.Rank() != 0 || c.LocalRank() != 0 || c.Name() != World || c.Engine() != "local" {
		t.Fatalf("%v, error %v", c, err)
	}
	x := nd.Ones([]int{3})
	if err := errors.Join(c.AllReduce(t.Context(), []*nd.Array{x}), c.Barrier(t.Context()), c.Close()); err != nil || nd.Value[float64](x, 0) != 1 {
		t.Errorf("%v, error %v", x, err)
	}
	t.Setenv("OMPI_COMM_WORLD_SIZE", "2")
	wantError := func(want string) {
		t.Helper()
		if _, err := Open(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	wantError(`OMPI_COMM_WORLD_SIZE says that several processes were started, but the program has no engine that connects them: import _ "github.com/ndgrad/ndgrad/nn/comm/mpi"`)
	defer func() { engines.registered = nil }()
	Register("one", func(context.Context) (Engine, error) { return nil, errors.New("no library") })
	wantError("no library")
	Register("another", func(context.Context) (Engine, error) { return &local{newHub(nil, [][]int{{0}}), 0}, nil })
	wantError("the program imports several engines: another, one")
	engines.registered = engines.registered[1:]
	if c, err := Open(t.Context()); err != nil || c.Size() != 1 {
		t.Errorf("%v, error %v", c, err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a name was registered twice")
		}
	}()
	Register("another", nil)
}
