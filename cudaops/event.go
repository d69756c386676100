package cudaops

import (
	"runtime"
	"time"

	"github.com/ndgrad/ndgrad/cudaops/internal/drv"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// Event is a mark in a stream, which is done when what stands before it in the stream is. cupy.cuda.Event.
type Event struct {
	device *Device
	handle drv.Event
}

// EventOptions are the options of [Device.NewEvent].
type EventOptions struct {
	Blocking bool // who waits for the event sleeps, instead of looking all the time
	NoTiming bool // it keeps no time, which makes it cheaper
}

// NewEvent returns a new event. It goes with the last reference to it.
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

// Done reports whether the event is done, or was never recorded. cupy.cuda.Event.done.
func (e *Event) Done() (bool, error) {
	defer runtime.KeepAlive(e)
	return e.device.context.EventQuery(e.handle)
}

// Record is [Stream.Record]; nil is the compute stream. cupy.cuda.Event.record.
func (e *Event) Record(s *Stream) error {
	defer runtime.KeepAlive(e)
	if s == nil {
		s = e.device.Stream()
	}
	return s.Record(e)
}

// Synchronize waits for the event. cupy.cuda.Event.synchronize.
func (e *Event) Synchronize() error {
	defer runtime.KeepAlive(e)
	return e.device.context.EventSynchronize(e.handle)
}

// Elapsed returns the time from one event to another, both of which are done and keep time, to about half a microsecond.
// cupy.cuda.get_elapsed_time.
func Elapsed(from, to *Event) (time.Duration, error) {
	ms, err := from.device.context.Elapsed(from.handle, to.handle)
	runtime.KeepAlive(from)
	runtime.KeepAlive(to)
	return time.Duration(float64(ms) * float64(time.Millisecond)), err
}
