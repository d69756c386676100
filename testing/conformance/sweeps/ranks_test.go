package sweeps

import (
	"fmt"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// TestSweepRanks adds leading axes of length 1 up to about the largest number of axes: to one array at a time, and to
// all. The function must work or refuse, and so must its gradients.
func TestSweepRanks(t *testing.T) {
	sweep(t, func(s *subject) error {
		if len(s.plain.paths) == 0 {
			return nil
		}
		for rank := nd.MaxRank - 3; rank <= nd.MaxRank; rank++ {
			for i := range len(s.plain.paths) + 1 {
				if i == 1 && len(s.plain.paths) == 1 {
					break // the only array
				}
				raised := func(path string, x *nd.Array) *nd.Array {
					if x.IsScalar() || i > 0 && path != s.plain.paths[i-1] {
						return x
					}
					shape := make([]int, rank)
					for k := range shape {
						shape[k] = 1
					}
					copy(shape[rank-x.Rank():], x.Shape())
					return x.Reshape(shape...)
				}
				if err := s.call(setting{edit: raised, fresh: true}).mayRefuse(); err != nil {
					return fmt.Errorf("with %d axes: %w", rank, err)
				}
				if err := s.differentiates(raised); err != nil {
					return fmt.Errorf("gradients with %d axes: %w", rank, err)
				}
			}
		}
		return nil
	})
}

// differentiates returns an error about the gradients, also recorded ones, of a call with edited arrays, unless the
// call refuses.
func (s *subject) differentiates(edit func(path string, x *nd.Array) *nd.Array) error {
	tape := grad.NewTape()
	defer tape.Release()
	var watched []*nd.Array
	o := s.call(setting{fresh: true, edit: func(path string, x *nd.Array) *nd.Array {
		if x = edit(path, x); x.DType().IsInexact() && !s.fn.Row.MayWrite(path) {
			x = tape.Watch(x)
			watched = append(watched, x)
		}
		return x
	}})
	if o.err != nil || watched == nil {
		return o.mayRefuse()
	}
	for _, r := range o.results {
		y, ok := r.(*nd.Array)
		if !ok || y == nil || !y.DType().IsInexact() {
			continue
		}
		if n, _ := y.Node(); n == nil {
			continue
		}
		_, err := catalogue.Try(func() []*nd.Array { return tape.GradientRecorded(y, watched...) })
		if _, refused := err.(*catalogue.Refusal); err != nil && !refused {
			return err
		}
	}
	return nil
}
