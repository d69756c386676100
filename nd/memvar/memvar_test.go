package memvar_test

import (
	"expvar"
	"fmt"
	"runtime"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/memvar"
)

func ExamplePublish() {
	memvar.Publish("ndgrad")
	defer nd.CountMemory(false)
	x, y := nd.Ones([]int{1000}), nd.Zeros([]int{10, 10})
	fmt.Println(expvar.Get("ndgrad"))
	runtime.KeepAlive([]*nd.Array{x, y})
	// Output: {"blocks":2,"bytes":8800,"pinned":0,"makers":[{"func":"nd.Ones","device":"cpu","blocks":1,"bytes":8000,"pinned":0},{"func":"nd.Zeros","device":"cpu","blocks":1,"bytes":800,"pinned":0}]}
}
