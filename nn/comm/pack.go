package comm

import (
	"github.com/ndgrad/ndgrad/nd"
)

// largestPack is the usual size of the largest pack of several arrays, in bytes.
const largestPack = 32 << 20

// packed calls f for all arrays, as flat arrays of the engine's memory: each array by itself, or packs of several ones. f
// reports whether it has changed the flat array, which is then copied back.
func (c *Communicator) packed(xs []*nd.Array, alone bool, f func(flat *nd.Array) (changed bool, err error)) error {
	for len(xs) > 0 {
		n, bytes := 1, xs[0].Bytes()
		for n < len(xs) && !alone && xs[n].DType() == xs[0].DType() && bytes+xs[n].Bytes() <= c.packBytes {
			bytes += xs[n].Bytes()
			n++
		}
		if err := c.pack(xs[:n], f); err != nil {
			return err
		}
		xs = xs[n:]
	}
	return nil
}

// pack calls f for some arrays of one dtype as one flat array.
func (c *Communicator) pack(xs []*nd.Array, f func(flat *nd.Array) (changed bool, err error)) error {
	if len(xs) == 1 {
		flat, done := c.flat(xs[0], true)
		defer done()
		changed, err := f(flat)
		if err == nil && changed && !flat.SharesMemory(xs[0]) {
			empty(xs[0], flat)
		}
		return err
	}
	total := 0
	for _, x := range xs {
		total += x.Size()
	}
	flat := c.scratch.take(xs[0].DType(), total)
	defer c.scratch.give(flat)
	each(flat, xs, fill)
	changed, err := f(flat)
	if err == nil && changed {
		each(flat, xs, func(v, x *nd.Array) { empty(x, v) })
	}
	return err
}

// each calls f for the part of a flat array that belongs to each array.
func each(flat *nd.Array, xs []*nd.Array, f func(v, x *nd.Array)) {
	if len(xs) == 1 {
		f(flat, xs[0])
		return
	}
	at := 0
	for _, x := range xs {
		v := part(flat, at, x.Size())
		f(v, x)
		v.Release()
		at += x.Size()
	}
}

// flat returns an array as a flat array of the engine's memory: the array itself, or a buffer, which has its elements if
// filled. done ends its use.
func (c *Communicator) flat(x *nd.Array, filled bool) (flat *nd.Array, done func()) {
	if c.made[x.Block()] != nil && x.IsContiguous() && x.Size() > 0 {
		plain := x.Detach()
		flat = plain.Reshape(plain.Size())
		plain.Release()
		return flat, flat.Release
	}
	flat = c.scratch.take(x.DType(), x.Size())
	if filled {
		fill(flat, x)
	}
	return flat, func() { c.scratch.give(flat) }
}

// fill copies an array to a flat one.
func fill(flat, x *nd.Array) {
	if x.Size() == 0 {
		return
	}
	if isFlat(x) {
		flat.AssignFrom(x)
		return
	}
	plain := x.Detach()
	defer plain.Release()
	shapedLike(flat, x, func(shaped *nd.Array) { shaped.AssignFrom(plain) })
}

// isFlat reports whether an array has one axis, and no tape knows it.
func isFlat(x *nd.Array) bool {
	node, _ := x.Node()
	return node == nil && x.Rank() == 1
}

// empty copies a flat array to another array.
func empty(x, flat *nd.Array) {
	if x.Size() == 0 {
		return
	}
	shapedLike(flat, x, func(shaped *nd.Array) { x.AssignFrom(shaped) })
}

// shapedLike calls f with a flat array in the shape of x.
func shapedLike(flat, x *nd.Array, f func(shaped *nd.Array)) {
	if x.Rank() == 1 {
		f(flat)
		return
	}
	shaped := flat.Reshape(x.Layout().Shape...)
	f(shaped)
	shaped.Release()
}
