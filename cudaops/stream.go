package cudaops

import (
	"runtime"

	"github.com/ndgrad/ndgrad/cudaops/internal/drv"
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
)

// Stream is a queue of work on a device, for copies and kernels of the user's own ([RawKernel]) beside those of the library, which
// are all in the compute stream. What it does with an array comes after everything that was asked of that array before, on
// whichever stream, and before everything that is asked of it later: the streams wait for each other, the host does not.
// cupy.cuda.Stream, cupy.cuda.runtime.Stream.
type Stream struct {
	device *Device
	handle drv.Stream
}

// StreamOptions are the options of [Device.NewStream].
type StreamOptions struct {
	// Blocking has the stream wait for CUDA's null stream, and that for it, as CuPy's streams do that are not non_blocking. Nothing
	// of the library is in the null stream.
	Blocking bool
}

// Stream returns the compute stream, in which all kernels of the library are.
func (d *Device) Stream() *Stream { return &Stream{d, d.stream} }

// NullStream returns CUDA's null stream.
func (d *Device) NullStream() *Stream { return &Stream{d, 0} }

// NewStream returns a new stream. It goes with the last reference to it, once its work is done.
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

// Done reports whether all work of the stream is done. cupy.cuda.Stream.done.
func (s *Stream) Done() (bool, error) { return s.device.context.StreamQuery(s.handle) }

// Synchronize waits for all work of the stream. cupy.cuda.Stream.synchronize.
func (s *Stream) Synchronize() error {
	defer runtime.KeepAlive(s)
	if s.handle == s.device.stream {
		return s.device.Synchronize()
	}
	return s.device.context.StreamSynchronize(s.handle)
}

// Record records an event: it is done when everything is that is in the stream now. cupy.cuda.Stream.record.
func (s *Stream) Record(e *Event) error {
	defer runtime.KeepAlive(s)
	return s.device.context.EventRecord(e.handle, s.handle)
}

// Wait has work that is added to the stream later wait for an event. cupy.cuda.Stream.wait_event.
func (s *Stream) Wait(e *Event) error {
	defer runtime.KeepAlive(s)
	return s.device.context.StreamWait(s.handle, e.handle)
}

// AddCallback calls f, in a goroutine of its own, once everything is done that is in the stream now, with the error that it ended
// with. The stream does not wait for f. cupy.cuda.Stream.add_callback.
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

// use is an event after which another stream is done with a block.
type use struct{ event drv.Event }

// ordered enqueues work on blocks in the stream: after what else is asked of them, and before what will be.
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

// await has a stream wait until other streams are done with a block.
func (d *Device) await(stream drv.Stream, b *block) {
	const fn = "Stream"
	if u := b.used.Swap(nil); u != nil {
		d.check(fn, d.context.StreamWait(stream, u.event))
		d.check(fn, d.context.EventDestroy(u.event))
	}
}

// awaitUse has the compute stream wait until other streams are done with a block.
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
