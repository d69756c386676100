package assert_test

import (
	"sync"
	"testing"

	"github.com/ndgrad/ndgrad/testing/assert"
)

func TestNoGoroutinesLeft(t *testing.T) {
	var l listener
	left, end := assert.NoGoroutinesLeft(&l), make(chan bool)
	var waiting sync.WaitGroup
	for range 20 { // goroutines of the runtime and of the test before may end meanwhile
		waiting.Go(func() { <-end })
	}
	if left(); l.message == "" {
		t.Error("goroutines that wait are not reported")
	}
	close(end)
	waiting.Wait()
	l.message = ""
	if left(); l.message != "" {
		t.Errorf("%s, although all have ended", l.message)
	}
}
