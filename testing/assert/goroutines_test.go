package assert_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/testing/assert"
)

func TestNoGoroutinesLeft(t *testing.T) {
	var l listener
	left, end, ended := assert.NoGoroutinesLeft(&l), make(chan bool), make(chan bool)
	go func() { <-end; close(ended) }()
	if left(); l.message == "" {
		t.Error("a goroutine that waits is not reported")
	}
	close(end)
	<-ended
	l.message = ""
	if left(); l.message != "" {
		t.Errorf("%s, although all have ended", l.message)
	}
}
