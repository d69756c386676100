package nn_test

import (
	"fmt"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
)

// TestManyParameters: a scope with many names finds each, and so do its copies; cleared, it has none.
func TestManyParameters(t *testing.T) {
	s := nn.NewScope()
	const many = 100
	for k := range many {
		s.Value(fmt.Sprintf("p%d", k), nd.Full(nil, float32(k)))
	}
	for name, s := range map[string]*nn.Scope{"scope": s, "replica": s.Replica()} {
		for k := range many {
			if x := s.Get(fmt.Sprintf("p%d", k)); x == nil || x.Float() != float64(k) {
				t.Fatalf("%s: p%d is %v", name, k, x)
			}
		}
		if s.Get("p100") != nil || len(s.Names()) != many {
			t.Errorf("%s: %d names", name, len(s.Names()))
		}
	}
	s.Clear()
	if s.Get("p1") != nil {
		t.Error("a parameter is left")
	}
}
