package ops

import (
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// WindowScores returns the scores of attention within a sliding window: [b, i, h, j] is the product of query i with the
// key at i + dilation[h]·(j - w), or 0 if that index is out of range. A symmetric window looks w steps to both sides,
// any other window only back.
//
// Shapes: query and key (B, S, H, U), dilation (H); the result (B, S, H, 2w+1), or w+1 if not symmetric.
//
// Source: I. Beltagy, M. Peters, A. Cohan, Longformer, 2020.
// MXNet: sldwin_atten_score.
func WindowScores(query, key, dilation *nd.Array, w int, symmetric bool) *nd.Array {
	const fn nd.Func = "ops.WindowScores"
	fn.Check(query, key, dilation)
	made := fn.Temporaries(&query, &key, &dilation)
	defer made.Release()
	in := []*nd.Array{query, key, dilation}
	if query.Rank() != 4 || !broadcast.Equal(query.Shape(), key.Shape()) {
		panic(fn.Errorf(in, "want queries and keys of one shape (B, S, H, U)"))
	}
	window := newWindow(fn, made, key, dilation, w, symmetric, in)
	return made.Keep(MatMul(window.gather(key), query.ExpandDims(4)).Squeeze(4))
}

// WindowContext returns the values weighted by the attention within a sliding window: the sum over j of score[b, i, h,
// j] times the value at i + dilation[h]·(j - w). Indices out of range add nothing.
//
// Shapes: score (B, S, H, 2w+1), or w+1 if not symmetric, value (B, S, H, U), dilation (H); the result (B, S, H, U).
// MXNet: sldwin_atten_context.
func WindowContext(score, value, dilation *nd.Array, w int, symmetric bool) *nd.Array {
	const fn nd.Func = "ops.WindowContext"
	fn.Check(score, value, dilation)
	made := fn.Temporaries(&score, &value, &dilation)
	defer made.Release()
	in := []*nd.Array{score, value, dilation}
	if value.Rank() != 4 {
		panic(fn.Errorf(in, "want values of shape (B, S, H, U)"))
	}
	window := newWindow(fn, made, value, dilation, w, symmetric, in)
	if want := append(value.Shape()[:3:3], window.width); !broadcast.Equal(score.Shape(), want) {
		panic(fn.Errorf(in, "want scores of shape %s", broadcast.FormatShape(want)))
	}
	return made.Keep(MatMul(score.ExpandDims(3), window.gather(value)).Squeeze(3))
}

// WindowMask returns 1 where the windows of WindowScores lie within the sequence, else 0. A sequence begins at 0 and
// ends at its valid length. The result has the dtype of score. It has no gradient.
//
// Shapes: score (B, S, H, 2w+1), or w+1 if not symmetric, dilation (H), validLength (B); the result has the shape of
// score.
// MXNet: sldwin_atten_mask_like.
func WindowMask(score, dilation, validLength *nd.Array, w int, symmetric bool) *nd.Array {
	const fn nd.Func = "ops.WindowMask"
	fn.Check(score, dilation, validLength)
	made := fn.Temporaries(&score, &dilation, &validLength)
	defer made.Release()
	in := []*nd.Array{score, dilation, validLength}
	if score.Rank() != 4 {
		panic(fn.Errorf(in, "want scores of shape (B, S, H, window)"))
	}
	window := newWindow(fn, made, score, dilation, w, symmetric, in)
	batch := score.Dim(0)
	if score.Dim(3) != window.width || !broadcast.Equal(validLength.Shape(), []int{batch}) || !validLength.DType().IsInteger() {
		panic(fn.Errorf(in, "want %d scores per step, and a length for each of %d sequences", window.width, batch))
	}
	length := validLength.AsType(dtype.Int64).Reshape(batch, 1, 1, 1)
	inside := LogicalAnd(GreaterEqual(window.positions, 0), Less(window.positions, length))
	inside = LogicalAnd(inside, Less(window.steps, length))
	return made.Keep(inside.AsType(score.DType()))
}

// window holds, for every step, head and position of the window, the index of the step there.
type window struct {
	steps     *nd.Array // (S, 1, 1)
	positions *nd.Array // (S, H, width), including indices out of range
	heads     *nd.Array // (1, H, 1)
	width     int
}

func newWindow(fn nd.Func, made *nd.Temporaries, x, dilation *nd.Array, w int, symmetric bool, in []*nd.Array) window {
	steps, heads := x.Dim(1), x.Dim(2)
	if w < 0 || !broadcast.Equal(dilation.Shape(), []int{heads}) || !dilation.DType().IsInteger() {
		panic(fn.Errorf(in, "want w of at least 0, and an integer dilation for each of %d heads", heads))
	}
	width := w + 1
	if symmetric {
		width += w
	}
	on := nd.ArrayOptions{Device: x.Device()}
	counting := func(from, to int, shape ...int) *nd.Array {
		return made.Own(nd.ArangeInt(from, to, 1, on)).Reshape(shape...)
	}
	v := window{steps: counting(0, steps, steps, 1, 1), heads: counting(0, heads, 1, heads, 1), width: width}
	offsets := Multiply(dilation.AsType(dtype.Int64).Reshape(1, heads, 1), counting(-w, width-w, 1, 1, width))
	v.positions = Add(v.steps, offsets)
	return v
}

// gather returns the elements of x (B, S, H, U) in each window, as (B, S, H, width, U), with zeros beyond the ends.
func (v window) gather(x *nd.Array) *nd.Array {
	inside := LogicalAnd(GreaterEqual(v.positions, 0), Less(v.positions, x.Dim(1)))
	met := x.Index(nd.All(), nd.Pick(Where(inside, v.positions, 0)), nd.Pick(v.heads))
	return Where(inside.ExpandDims(3), met, 0)
}
