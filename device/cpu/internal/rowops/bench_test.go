package rowops

import (
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
)

func BenchmarkSoftmax(b *testing.B) {
	y, x := launchtest.New(make([]float32, 1000*1000), 1000, 1000), launchtest.New(launchtest.Uniform(1000*1000), 1000, 1000)
	for b.Loop() {
		l := launchtest.Launch([]int{1000, 1000}, y, x)
		Softmax(l)
		l.Recycle()
	}
}
