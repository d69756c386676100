// Package bench times ndgrad on the cases on which NumPy and PyTorch are timed: 422 of them, named
// group/name/shape/dtype.
//
//	go test -bench 'Cases/matmul' ./bench        # ndgrad alone, one group
//	go run ./bench/compare -only '^matmul/'      # beside NumPy and PyTorch, interleaved
//
// README.md says how to set up the peers, docs/performance.md has the results.
package bench
