// Package compliance checks devices against the definition of the kernels in package device.
//
// [Run] launches every kernel on the device and on the reference device, with operands of every element type and all
// layouts that strides can describe. It compares the memory of both byte by byte: outputs as exactly as the kernel
// allows, and all other bytes for being unchanged. The tests of a backend call it:
//
//	func TestCompliance(t *testing.T) {
//		dev, err := device.Get("cpu")
//		if err != nil {
//			t.Fatal(err)
//		}
//		compliance.Run(t, dev, 1)
//	}
package compliance

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/ref"
)

// Run tests a device, with one subtest per kernel. The subtest of a kernel that the device lacks is skipped. If a
// kernel may compute its results in several ways, they are compared within bounds that hold for every seed. The
// subtests named in without are left out.
func Run(t *testing.T, dev device.Device, seed uint64, without ...string) {
	for _, kernel := range []struct {
		name string
		test func(*suite)
	}{
		{"Memory", testMemory},
		{"Copy", testCopy},
		{"Elementwise", testElementwise},
		{"Reduce", testReduce},
		{"Scan", testScan},
		{"ArgReduce", testArgReduce},
		{"MatMul", testMatMul},
		{"Gather", testGather},
		{"Scatter", testScatter},
		{"Sample", testSample},
		{"SampleGrad", testSampleGrad},
		{"SamplePlacesGrad", testSampleLocationsGrad},
		{"Nonzero", testNonzero},
		{"Compress", testCompress},
		{"Sort", testSort},
		{"SortKept", testSortKept},
		{"SortPartition", testSortPartition},
		{"SearchSorted", testSearchSorted},
		{"Random", testRandom},
		{"Softmax", testSoftmax},
		{"SoftmaxGrad", testSoftmaxGrad},
		{"CrossEntropy", testCrossEntropy},
		{"CrossEntropyGrad", testCrossEntropyGrad},
		{"CTC", testCTC},
		{"CTCGrad", testCTCGrad},
		{"Attention", testAttention},
		{"Normalize", testNormalize},
		{"NormalizeGrad", testNormalizeGrad},
		{"Convolve", testConvolve},
		{"Pool", testPool},
		{"PoolGrad", testPoolGrad},
		{"Cholesky", testCholesky},
		{"LU", testLU},
		{"TriangularSolve", testTriangularSolve},
		{"Solve", testSolve},
		{"QR", testQR},
		{"SVD", testSVD},
		{"Eigh", testEigh},
		{"Eig", testEig},
		{"FFT", testFFT},
		{"Signatures", testSignatures},
		{"Concurrency", testConcurrency},
		{"NoElements", testNoElements},
	} {
		if !slices.Contains(without, kernel.name) {
			t.Run(kernel.name, func(t *testing.T) { kernel.test(newSuite(t, kernel.name, dev, seed)) })
		}
	}
}

// Sample makes some random launches of each kernel. It is a small and fast part of [Run].
func Sample(t *testing.T, dev device.Device, seed uint64) {
	s := newSuite(t, "Sample", dev, seed)
	for _, launch := range fuzzed {
		for range 8 {
			launch(s)
		}
	}
}

// suite is the state of one subtest.
type suite struct {
	*testing.T
	*rand.Rand            // draws the launches
	contents   *rand.Rand // draws the elements
	name       string     // name of the subtest, relative to Run
	dev        device.Device
	reference  device.Device
	seed       uint64
	empty      bool     // many of the drawn lengths are 0
	settings   []func() // settings in which the device must give identical bytes; see [FuzzSettings]
	plain      bool     // operands have no gaps and no negative strides
	flush      bool     // operands fill their blocks, without spare elements at the ends
	budget     *budget  // what a fuzzed launch may need; nil for no bound
}

// newSuite also seeds the random numbers with the subtest's name. A subtest draws the same numbers alone, among the
// others, and under every test that calls Run.
func newSuite(t *testing.T, name string, dev device.Device, seed uint64) *suite {
	hash := fnv.New64a()
	hash.Write([]byte(name))
	r := rand.New(rand.NewPCG(hash.Sum64(), seed))
	return &suite{T: t, Rand: r, contents: r, name: name, dev: dev, reference: ref.New(), seed: seed}
}

// length returns the length of an axis, which is 0 in a suite of empty arrays.
func (s *suite) length(n int) int {
	if s.empty && s.IntN(3) == 0 {
		return 0
	}
	return n
}

// run starts a subtest.
func (s *suite) run(name string, test func(*suite)) {
	s.T.Run(name, func(t *testing.T) { test(newSuite(t, s.name+"/"+name, s.dev, s.seed)) })
}
