// Serve answers requests with the labels of handwritten digits: a model in an HTTP handler. It takes the parameters that
// examples/digits has trained:
//
//	go run ./examples/digits -out /tmp/digits
//	go run ./examples/serve -model /tmp/digits/digits.npz
//	curl -d '{"images": [[0, 0, 5, …]]}' localhost:8080/classify
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/ndgrad/ndgrad/examples/internal/serving"
	"github.com/ndgrad/ndgrad/nd/memvar"
	"github.com/ndgrad/ndgrad/nn"
)

func main() {
	model := flag.String("model", "digits.npz", "parameters from examples/digits")
	address := flag.String("addr", "localhost:8080", "address to listen at")
	flag.Parse()
	memvar.Publish("arrays") // before the parameters exist, so that it shows them too
	if err := run(*model, *address); err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}

func run(model, address string) error {
	params := nn.NewScope()
	if err := nn.Load(model, params); err != nil {
		return err
	}
	s, err := newServer(params, limits{AtOnce: runtime.GOMAXPROCS(0), Wait: 2 * time.Second, Body: 1 << 20, Images: 256})
	if err != nil {
		return fmt.Errorf("%s: %w", model, err)
	}
	return serving.ListenAndServe(address, s.handler())
}
