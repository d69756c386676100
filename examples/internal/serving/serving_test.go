package serving

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// TestGracefulEnd: a request that has begun when the program is told to end is answered; later ones are not.
func TestGracefulEnd(t *testing.T) {
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Skip(err)
	}
	begun := make(chan struct{})
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- Serve(ctx, listener, Handler(func(w http.ResponseWriter, r *http.Request) {
			close(begun)
			body, err := io.ReadAll(r.Body)
			Answer(w, len(body), err)
		}))
	}()
	late, send := io.Pipe()
	answered := make(chan error, 1)
	go func() {
		r, err := http.Post(fmt.Sprintf("http://%s/classify", listener.Addr()), "application/json", late)
		if err == nil {
			defer r.Body.Close()
			if r.StatusCode != http.StatusOK {
				err = fmt.Errorf("status %d", r.StatusCode)
			}
		}
		answered <- err
	}()
	if _, err := send.Write([]byte("begun")); err != nil {
		t.Fatal(err)
	}
	<-begun
	end()
	time.Sleep(50 * time.Millisecond)
	if _, err := send.Write([]byte("ended")); err != nil {
		t.Fatal(err)
	}
	send.Close()
	if err := <-answered; err != nil {
		t.Errorf("the request that had begun: %v", err)
	}
	if err := <-ended; err != nil {
		t.Errorf("the server ended with %v", err)
	}
	if _, err := net.Dial("tcp", listener.Addr().String()); err == nil {
		t.Error("the server still listens")
	}
}

func TestTurns(t *testing.T) {
	turns := NewTurns(1, time.Millisecond)
	end, err := turns.Take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var f Failure
	if _, err := turns.Take(t.Context()); !errors.As(err, &f) || f.Status != http.StatusServiceUnavailable {
		t.Errorf("a second turn: %v", err)
	}
	end()
	if _, err := turns.Take(t.Context()); err != nil {
		t.Errorf("after the first turn: %v", err)
	}
}

func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
	}{{nil, 200}, {Refusal(errors.New("wrong")), 400}, {Refusal(&http.MaxBytesError{}), 413}, {errors.New("broken"), 500}} {
		w := httptest.NewRecorder()
		if Answer(w, []int{1}, c.err); w.Code != c.status || c.err == nil && w.Body.String() != "[1]\n" {
			t.Errorf("%v: status %d: %s", c.err, w.Code, w.Body)
		}
	}
}
