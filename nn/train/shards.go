package train

import (
	"cmp"
	"context"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/comm"
	"github.com/ndgrad/ndgrad/nn/optim"
)

// shards divide the parameters among the ranks: the owner of a parameter has the optimizer's states of it.
type shards struct {
	c     *comm.Communicator
	owner map[*nn.Param]int
	of    [][]*nn.Param // by owner
}

// newShards gives each parameter, the largest first, to the rank that has the fewest elements so far.
func newShards(c *comm.Communicator, params []*nn.Param) *shards {
	s := &shards{c: c, owner: map[*nn.Param]int{}, of: make([][]*nn.Param, c.Size())}
	order := slices.Clone(params)
	slices.SortStableFunc(order, func(a, b *nn.Param) int { return cmp.Compare(b.Value().Bytes(), a.Value().Bytes()) })
	bytes := make([]int, c.Size())
	for _, p := range order {
		r := slices.Index(bytes, slices.Min(bytes))
		bytes[r] += p.Value().Bytes()
		s.owner[p] = r
		s.of[r] = append(s.of[r], p)
	}
	return s
}

// update updates this rank's parameters, and exchanges the new values of all.
func (s *shards) update(model *nn.Scope, o *optim.Optimizer, g *optim.Gradients) error {
	s.forget(o)
	o.Update(g.Where(func(name string) bool { return s.owner[model.Param(name)] == s.c.Rank() }))
	types := map[dtype.DType]bool{}
	for _, params := range s.of {
		for _, p := range params {
			types[p.Value().DType()] = true
		}
	}
	for t := dtype.DType(0); t < dtype.Count; t++ { // in the same order on all ranks
		if types[t] {
			if err := s.exchange(t); err != nil {
				return err
			}
		}
	}
	return nil
}

// exchange gives all ranks the parameters of a dtype.
func (s *shards) exchange(t dtype.DType) error {
	flat := make([]*nd.Array, len(s.of)) // the parameters of each rank
	walk := func(r int, f func(w, part *nd.Array)) int {
		at := 0
		for _, p := range s.of[r] {
			w := p.Value()
			if w.DType() != t {
				continue
			}
			if f != nil {
				part := flat[r].Index(nd.Span(at, at+w.Size()))
				shaped := part.Reshape(w.Shape()...)
				f(w, shaped)
				shaped.Release()
				part.Release()
			}
			at += w.Size()
		}
		return at
	}
	for r := range flat {
		flat[r] = nd.Empty([]int{walk(r, nil)}, nd.ArrayOptions{DType: t, Device: s.c.Device()})
		defer flat[r].Release()
	}
	me := s.c.Rank()
	walk(me, func(w, part *nd.Array) { part.AssignFrom(w) })
	if err := s.c.AllGather(context.Background(), flat[me], flat); err != nil {
		return err
	}
	for r := range flat {
		if r != me {
			walk(r, func(w, part *nd.Array) { w.AssignFrom(part) })
		}
	}
	return nil
}

// forget discards the states of other ranks' parameters, which a snapshot gathered or a file brought.
func (s *shards) forget(o *optim.Optimizer) {
	for r, params := range s.of {
		if r != s.c.Rank() {
			o.Forget(params...)
		}
	}
}

// stateArray describes an array of an optimizer's state that its owner sends.
type stateArray struct {
	Parameter, State string
	DType            dtype.DType
	Shape            []int
}

// gather sends the states of all parameters to rank 0. All ranks call it.
func (s *shards) gather(model *nn.Scope, o *optim.Optimizer) error {
	s.forget(o)
	ctx := context.Background()
	var mine []stateArray
	var arrays []*nd.Array
	if s.c.Rank() > 0 {
		for _, n := range o.State(model) {
			parameter, state := path.Split(n.Name)
			mine = append(mine, stateArray{strings.TrimSuffix(parameter, "/"), state, n.Array.DType(), n.Array.Shape()})
			arrays = append(arrays, n.Array)
		}
	}
	text, err := json.Marshal(mine)
	if err != nil {
		return err
	}
	texts, err := s.c.AllGatherBytes(ctx, text)
	if err != nil {
		return err
	}
	for _, x := range arrays {
		if err := s.c.Send(ctx, x, 0); err != nil {
			return err
		}
	}
	if s.c.Rank() > 0 {
		return nil
	}
	for r, text := range texts {
		var list []stateArray
		if err := json.Unmarshal(text, &list); err != nil {
			return err
		}
		for _, a := range list {
			p := model.Param(a.Parameter)
			x := nd.Empty(a.Shape, nd.ArrayOptions{DType: a.DType, Device: p.Value().Device()})
			if err := s.c.Recv(ctx, x, r); err != nil {
				return err
			}
			o.SetState(p, nd.NamedArrays{{Name: a.State, Array: x}})
		}
	}
	return nil
}
