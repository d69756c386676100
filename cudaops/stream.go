package cudaops

import (
	"runtime"

	"github.com/ndgrad/ndgrad/cudaops/internal/drv"
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// Stream is a queue of work on a device, for the user's own copies and kernels ([RawKernel]). The kernels of the
// library are all in the compute stream. Work on an array runs after all work that was enqueued for that array before,
// in whatever stream, and before all work that is enqueued for it later: the streams wait for each other, the host does
// not.
// CuPy: cuda.Stream, cuda.runtime.Stream.
type Stream struct {
	device *Device
	handle drv.Stream
}

// StreamOptions are the options of [Device.NewStream].
type StreamOptions struct {
	// Blocking makes the stream and CUDA's null stream wait for each other, like CuPy's streams that are not
	// non_blocking. The library does not use the null stream.
	Blocking bool
}

// Stream returns the compute stream, which runs all kernels of the library.
func (d *Device) Stream() *Stream { return &Stream{d, d.stream} }

// NullStream returns CUDA's null stream.
func (d *Device) NullStream() *Stream { return &Stream{d, 0} }

// NewStream returns a new stream. The stream is destroyed after the last reference to it is gone and its work is done.
func (d *Device) NewStream(opts ...StreamOptions) (*Stream, error) {
	const fn nd.Func = "Device.NewStream"
	o := options.Read(fn, opts)
	handle, err := d.context.NewStream(!o.Blocking)
	if err != nil {
		return nil, err
	}
	s := &Stream{d, handle}
	runtime.AddCleanup(s, func(handle drv.Stream) { _ = d.context.StreamDestroy(handle) }, handle)
	return s, nil
}

// Device returns the device.
func (s *Stream) Device() *Device { return s.device }

// Handle returns CUDA's number of the stream, for other libraries.
func (s *Stream) Handle() uintptr { return uintptr(s.handle) }

// Done reports whether all work of the stream is done.
// CuPy: cuda.Stream.done.
func (s *Stream) Done() (bool, error) { return s.device.context.StreamQuery(s.handle) }

// Synchronize waits for all work of the stream.
// CuPy: cuda.Stream.synchronize.
func (s *Stream) Synchronize() error {
	defer runtime.KeepAlive(s)
	if s.handle == s.device.stream {
		return s.device.Synchronize()
	}
	return s.device.context.StreamSynchronize(s.handle)
}

// Record records an event. It is done when all work that is in the stream now is done.
// CuPy: cuda.Stream.record.
func (s *Stream) Record(e *Event) error {
	defer runtime.KeepAlive(s)
	return s.device.context.EventRecord(e.handle, s.handle)
}

// Wait makes work that is added to the stream later wait for an event.
// CuPy: cuda.Stream.wait_event.
func (s *Stream) Wait(e *Event) error {
	defer runtime.KeepAlive(s)
	return s.device.context.StreamWait(s.handle, e.handle)
}

// AddCallback calls f, in its own goroutine, once all work that is in the stream now is done. f receives the error of
// that work, if any. The stream does not wait for f.
// CuPy: cuda.Stream.add_callback.
func (s *Stream) AddCallback(f func(error)) error {
	e, err := s.device.NewEvent(EventOptions{Blocking: true, NoTiming: true})
	if err != nil {
		return err
	}
	if err := s.Record(e); err != nil {
		return err
	}
	go func() { f(e.Synchronize()) }()
	return nil
}

// use is an event that is done when another stream no longer uses a block.
type use struct{ event drv.Event }

// ordered enqueues work on blocks in the stream: after all earlier work on these blocks, and before all later work.
func (s *Stream) ordered(fn string, blocks []*block, work func() error) {
	d := s.device
	defer runtime.KeepAlive(s)
	if s.handle == d.stream {
		for _, b := range blocks {
			d.awaitUse(b)
		}
		d.check(fn, work())
		return
	}
	computed := d.event(fn)
	d.check(fn, d.context.EventRecord(computed, d.stream))
	d.check(fn, d.context.StreamWait(s.handle, computed))
	d.check(fn, d.context.EventDestroy(computed))
	for _, b := range blocks {
		d.await(s.handle, b)
	}
	d.check(fn, work())
	d.memory.foreign.Store(true)
	for _, b := range blocks {
		done := d.event(fn)
		d.check(fn, d.context.EventRecord(done, s.handle))
		b.used.Store(&use{done})
	}
}

// await makes a stream wait until other streams no longer use a block.
func (d *Device) await(stream drv.Stream, b *block) {
	const fn = "Stream"
	if u := b.used.Swap(nil); u != nil {
		d.check(fn, d.context.StreamWait(stream, u.event))
		d.check(fn, d.context.EventDestroy(u.event))
	}
}

// awaitUse makes the compute stream wait until other streams no longer use a block.
func (d *Device) awaitUse(b *block) {
	if b.used.Load() != nil {
		d.await(d.stream, b)
	}
}

// awaitStreams is awaitUse for all operands of a kernel.
func (d *Device) awaitStreams(l *device.Launch) {
	for k := range l.N {
		if m := l.Operands[k].Memory; m.Handle != nil {
			d.awaitUse((*block)(m.Handle))
		}
	}
}
