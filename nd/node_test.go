package nd

import "testing"

// recorder is a tape without gradients.
type recorder struct {
	arena *Arena
	nodes []*Node
}

func (r *recorder) Record(n *Node) { r.nodes = append(r.nodes, n) }
func (r *recorder) Arena() *Arena  { return r.arena }

func (r *recorder) reset() {
	r.arena.Release()
	for _, n := range r.nodes {
		n.Drop()
	}
	r.nodes = nil
}

// TestDroppedNodesAreForgotten: an array that outlives its node no longer counts as recorded, so that its memory may be
// written and small calls use the fast path.
func TestDroppedNodesAreForgotten(t *testing.T) {
	r := &recorder{arena: NewArena()}
	for round := range 3 {
		x := Func("test").Watch(r, FromSlice([]float64{1, 2, 3}))
		kept := []*Array{r.arena.Keep(x.Copy()), r.arena.Keep(x.Index(All())), r.arena.Keep(Func("test").Watch(r, x.Detach()))}
		written := FromSlice([]float64{1, 2, 3})
		written.Assign(x)
		written.Assign(x.Copy())
		kept = append(kept, written)
		released := x.Copy()
		released.Release()
		for i, y := range kept {
			if y.flatSize() != 0 {
				t.Errorf("round %d, array %d: recorded, but it takes the fast path", round, i)
			}
		}
		r.reset()
		for i, y := range kept {
			if y.node != nil || y.store.recorded.Load() != 0 || y.flatSize() != 3 {
				t.Errorf("round %d, array %d: recorded %v, %d recorded headers, flat size %d", round, i, y.node != nil, y.store.recorded.Load(), y.flatSize())
			}
		}
		if free := len(r.arena.nodes); free != 16 {
			t.Errorf("round %d: %d nodes can be reused, want all 16", round, free)
		}
	}
}
