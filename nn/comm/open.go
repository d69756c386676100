package comm

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// opener is a registered kind of engine.
type opener struct {
	name string
	open func(ctx context.Context) (Engine, error)
}

var engines struct {
	sync.Mutex
	registered []opener
}

// Register makes a kind of engine known to [Open]. Packages with engines call it when the program begins. A name that is
// registered twice panics.
func Register(name string, open func(ctx context.Context) (Engine, error)) {
	engines.Lock()
	defer engines.Unlock()
	for _, e := range engines.registered {
		if e.name == name {
			panic("comm: Register called twice for " + name)
		}
	}
	engines.registered = append(engines.registered, opener{name, open})
}

// Open returns the communicator of the processes that were started together with this one. It is one rank if nothing
// started several. mpirun, mpiexec and srun tell a process by environment variables how many they started:
// OMPI_COMM_WORLD_SIZE, PMI_SIZE, PMIX_RANK, or SLURM_PROCID with SLURM_STEP_NUM_TASKS. Then Open uses the engine that the program
// imports:
//
//	import _ "github.com/ndgrad/ndgrad/nn/comm/mpi"
//
// Close ends the use of the engine.
func Open(ctx context.Context) (*Communicator, error) {
	launcher, many := launched(os.LookupEnv)
	if !many {
		return Local(1)[0], nil
	}
	engines.Lock()
	registered := slices.Clone(engines.registered)
	engines.Unlock()
	if len(registered) == 0 {
		return nil, fmt.Errorf("comm.Open: %s says that several processes were started, but the program has no engine that connects them: "+
			`import _ "github.com/ndgrad/ndgrad/nn/comm/mpi"`, launcher)
	}
	if len(registered) > 1 {
		names := map[string]bool{}
		for _, e := range registered {
			names[e.name] = true
		}
		return nil, fmt.Errorf("comm.Open: the program imports several engines: %s; call the Open of one of these packages",
			strings.Join(slices.Sorted(maps.Keys(names)), ", "))
	}
	e, err := registered[0].open(ctx)
	if err != nil {
		return nil, err
	}
	return New(e), nil
}

// launched reports whether several processes were started together, and which environment variable says so.
func launched(lookup func(string) (string, bool)) (variable string, many bool) {
	for _, name := range []string{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"} {
		if text, ok := lookup(name); ok {
			if n, err := strconv.Atoi(text); err == nil {
				return name, n > 1
			}
		}
	}
	if _, ok := lookup("SLURM_PROCID"); ok { // a step of srun; a batch script has SLURM_NTASKS too, but is one process
		if text, ok := lookup("SLURM_STEP_NUM_TASKS"); ok {
			n, err := strconv.Atoi(text)
			return "SLURM_STEP_NUM_TASKS", err == nil && n > 1
		}
	}
	if _, ok := lookup("PMIX_RANK"); ok { // it does not tell how many there are
		return "PMIX_RANK", true
	}
	return "", false
}
