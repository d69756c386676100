package comm_test

import (
	"context"
	"fmt"
	"sync"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/comm"
)

// Four ranks add their arrays. Under mpirun, comm.Open returns the communicator of each process instead.
func ExampleCommunicator_AllReduce() {
	var running sync.WaitGroup
	for _, c := range comm.Local(4) {
		running.Go(func() {
			defer c.Close()
			x := nd.Full([]int{3}, float64(c.Rank()+1))
			if err := c.AllReduce(context.Background(), []*nd.Array{x}); err != nil {
				panic(err)
			}
			if c.Rank() == 0 {
				fmt.Println(x)
			}
		})
	}
	running.Wait()
	// Output: [10. 10. 10.]
}
