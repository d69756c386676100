// Serve answers requests with the labels of handwritten digits: a model in an HTTP handler. It takes the parameters that
// examples/digits has trained:
//
//	go run ./examples/digits -out /tmp/digits
//	go run ./examples/serve -model /tmp/digits/digits.npz
//	curl -d '{"images": [[0, 0, 5, …]]}' localhost:8080/classify
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/ndgrad/ndgrad/device/cpu"
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
	cpu.SetWorkers(1) // the requests themselves occupy the processors
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	log.Println("listening at", listener.Addr())
	return serve(ctx, listener, s.handler())
}

// serve answers requests until the context ends, and then those that have begun.
func serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	s := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: 20 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), 15*time.Second)
	defer cancel()
	if err := s.Shutdown(last); err != nil {
		return err
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
