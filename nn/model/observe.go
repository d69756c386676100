package model

import "time"

// observer is told of the operations of a call, and of those of models inside them. A nil one is told nothing.
type observer struct {
	// tell gets the names of the operations around an operation, and the time that it took without that of operations inside it.
	tell   func(around string, m *Model, s *step, in, out []Value, took time.Duration)
	around string
	inner  *time.Duration // the time of the operations inside the one that runs
	outer  *time.Duration // the same of the operation around
}

// observing returns an observer of a call.
func observing(tell func(around string, m *Model, s *step, in, out []Value, took time.Duration)) *observer {
	return &observer{tell: tell, inner: new(time.Duration), outer: new(time.Duration)}
}

// inside returns the observer of a model inside an operation.
func (o *observer) inside(s *step) *observer {
	if o == nil {
		return nil
	}
	return &observer{tell: o.tell, around: o.around + s.Name + "/", inner: new(time.Duration), outer: o.inner}
}

// start begins an operation.
func (o *observer) start() time.Time {
	if o == nil {
		return time.Time{}
	}
	*o.inner = 0
	return time.Now()
}

// end ends it.
func (o *observer) end(m *Model, s *step, in, out []Value, start time.Time) {
	if o == nil {
		return
	}
	took := time.Since(start)
	*o.outer += took
	o.tell(o.around, m, s, in, out, took-*o.inner)
}
