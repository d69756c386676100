package main

import (
	"slices"
	"time"

	"github.com/ndgrad/ndgrad/cudaops"
)

const samples = 7

// median returns the median of the times of some samples, each of count calls, over count.
func median(count int, sample func() (time.Duration, error)) (time.Duration, error) {
	var times []time.Duration
	for range samples + 1 {
		took, err := sample()
		if err != nil {
			return 0, err
		}
		times = append(times, took/time.Duration(count))
	}
	times = times[1:] // the first one loads kernels
	slices.Sort(times)
	return times[len(times)/2], nil
}

// busy is how long the device takes for a call of f. The device keeps the time, so that what counts is when it has done the work.
func (m *meter) busy(count int, f func(call int)) (time.Duration, error) {
	return median(count, func() (time.Duration, error) {
		return m.elapsed(func() {
			for call := range count {
				f(call)
			}
		})
	})
}

// wall is how long a call of f takes by the host's clock, from when the queue is empty until it is empty again.
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

// elapsed returns how long the device is busy with what f asks of it.
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
