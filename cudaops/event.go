package cudaops

import (
	"runtime"
	"time"

	"github.com/ndgrad/ndgrad/cudaops/internal/drv"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// Event is a mark in a stream. It is done when all work before it in the stream is done.
// CuPy: cuda.Event.
type Event struct {
	device *Device
	handle drv.Event
}

// EventOptions are the options of [Device.NewEvent].
type EventOptions struct {
	Blocking bool // waiting for the event sleeps instead of polling
	NoTiming bool // record no time, which is cheaper
}

// NewEvent returns a new event. The event is destroyed after the last reference to it is gone.
func (d *Device) NewEvent(opts ...EventOptions) (*Event, error) {
	const fn nd.Func = "Device.NewEvent"
	o := options.Read(fn, opts)
	handle, err := d.context.NewEvent(o.Blocking, !o.NoTiming)
	if err != nil {
		return nil, err
	}
	e := &Event{d, handle}
	runtime.AddCleanup(e, func(handle drv.Event) { _ = d.context.EventDestroy(handle) }, handle)
	return e, nil
}

// Done reports whether the event is done, or was never recorded.
// CuPy: cuda.Event.done.
func (e *Event) Done() (bool, error) {
	defer runtime.KeepAlive(e)
	return e.device.context.EventQuery(e.handle)
}

// Record records the event in a stream, like [Stream.Record]; nil is the compute stream.
// CuPy: cuda.Event.record.
func (e *Event) Record(s *Stream) error {
	defer runtime.KeepAlive(e)
	if s == nil {
		s = e.device.Stream()
	}
	return s.Record(e)
}

// Synchronize waits for the event.
// CuPy: cuda.Event.synchronize.
func (e *Event) Synchronize() error {
	defer runtime.KeepAlive(e)
	return e.device.context.EventSynchronize(e.handle)
}

// Elapsed returns the time from one event to another. Both must be done and record time. The resolution is about half a
// microsecond.
// CuPy: cuda.get_elapsed_time.
func Elapsed(from, to *Event) (time.Duration, error) {
	ms, err := from.device.context.Elapsed(from.handle, to.handle)
	runtime.KeepAlive(from)
	runtime.KeepAlive(to)
	return time.Duration(float64(ms) * float64(time.Millisecond)), err
}
