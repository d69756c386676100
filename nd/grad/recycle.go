package grad

import "github.com/ndgrad/ndgrad/nd"

// newPass begins a pass from ys to xs. It reuses a free pass of the tape, because a pass has large buffers. If isolated
// is set, xs count as independent of each other, and gradients stop at them; otherwise gradients continue from one x to
// the others that it was computed from.
func newPass(t *Tape, ys, xs []*nd.Array, recorded, isolated bool) *pass {
	if len(t.passes) == 0 {
		t.passes = append(t.passes, &pass{tape: t, call: new(nd.Call)})
	}
	p := t.passes[len(t.passes)-1]
	t.passes = t.passes[:len(t.passes)-1]
	p.recorded = recorded
	p.notes.begin(t.nodes)
	p.search(ys, xs, isolated)
	return p
}

// recycle returns p to the tape. p keeps no array alive.
func (p *pass) recycle() {
	p.notes.clear()
	clear(p.order)
	clear(p.gy[:cap(p.gy)])
	clear(p.gx[:cap(p.gx)])
	p.order = p.order[:0]
	p.tape.passes = append(p.tape.passes, p)
}
