// Package serving is what the servers in examples have in common: the end of the program, limits, failures and metrics.
package serving

import (
	"context"
	"encoding/json"
	"errors"
	"expvar"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/ndgrad/ndgrad/device/cpu"
)

// ListenAndServe answers requests until the program is told to end.
func ListenAndServe(address string, handler http.Handler) error {
	cpu.SetWorkers(1) // the requests themselves occupy the processors
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	log.Println("listening at", listener.Addr())
	return Serve(ctx, listener, handler)
}

// Serve answers requests until the context ends, and then those that have begun.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
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

// Turns bounds how many requests compute at once.
type Turns struct {
	Wait  time.Duration // how long a request waits for its turn
	taken chan struct{} // holds an element for each request that computes
}

// NewTurns returns turns for so many requests at once.
func NewTurns(atOnce int, wait time.Duration) *Turns {
	return &Turns{Wait: wait, taken: make(chan struct{}, atOnce)}
}

// Take waits for a turn, and returns the function that ends it, or the failure of a request that has waited too long.
func (t *Turns) Take(ctx context.Context) (end func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, t.Wait)
	defer cancel()
	end = func() { <-t.taken }
	select {
	case t.taken <- struct{}{}: // a free turn, however short the wait
		return end, nil
	default:
	}
	select {
	case t.taken <- struct{}{}:
		return end, nil
	case <-ctx.Done():
		return nil, Failure{http.StatusServiceUnavailable, errors.New("too many requests at once")}
	}
}

// Failure is an error with the status of the answer.
type Failure struct {
	Status int
	error
}

// Refusal is the failure of a request that is wrong: too large, if reading it met a limit.
func Refusal(err error) Failure {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return Failure{http.StatusRequestEntityTooLarge, err}
	}
	return Failure{http.StatusBadRequest, err}
}

// Answer writes a result as JSON, or an error as its status and text.
func Answer(w http.ResponseWriter, result any, err error) {
	if err != nil {
		status := http.StatusInternalServerError
		var f Failure
		if errors.As(err, &f) {
			status = f.Status
		}
		http.Error(w, err.Error(), status)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(result) // an error means that the client has gone
}

// Handler returns the handler of all paths: a function that classifies, a sign of life, and metrics.
func Handler(classify http.HandlerFunc) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /classify", classify)
	mux.HandleFunc("GET /healthy", func(http.ResponseWriter, *http.Request) {})
	mux.Handle("GET /debug/vars", expvar.Handler())
	return mux
}
