package main

import (
	"slices"
	"time"

	"github.com/ndgrad/ndgrad/cudaops"
)

const samples = 7

// median returns the median time of some samples, each of count calls, divided by count.
func median(count int, sample func() (time.Duration, error)) (time.Duration, error) {
	var times []time.Duration
	for range samples + 1 {
		took, err := sample()
		if err != nil {
			return 0, err
		}
		times = append(times, took/time.Duration(count))
	}
	times = times[1:] // the first sample loads kernels
	slices.Sort(times)
	return times[len(times)/2], nil
}

// busy returns the time that the device needs for a call of f. The device measures it, so that only its own work
// counts.
func (m *meter) busy(count int, f func(call int)) (time.Duration, error) {
	return median(count, func() (time.Duration, error) {
		return m.elapsed(func() {
			for call := range count {
				f(call)
			}
		})
	})
}

// wall returns the time of a call of f by the host's clock, from an empty queue to an empty queue.
func (m *meter) wall(count int, f func()) (time.Duration, error) {
	return median(count, func() (time.Duration, error) {
		begin := time.Now()
		for range count {
			f()
		}
		err := m.Synchronize()
		return time.Since(begin), err
	})
}

// elapsed returns how long the device is busy with the work of f.
func (m *meter) elapsed(f func()) (time.Duration, error) {
	if err := m.Synchronize(); err != nil {
		return 0, err
	}
	var marks [2]*cudaops.Event
	for i := range marks {
		if i == 1 {
			f()
		}
		var err error
		if marks[i], err = m.NewEvent(); err != nil {
			return 0, err
		}
		if err := marks[i].Record(nil); err != nil {
			return 0, err
		}
	}
	if err := m.Synchronize(); err != nil {
		return 0, err
	}
	return cudaops.Elapsed(marks[0], marks[1])
}
