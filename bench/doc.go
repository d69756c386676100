// Package bench times ndgrad on the cases that NumPy and PyTorch are timed on: 332 of them, named group/name/shape/dtype.
//
//	go test -bench 'Cases/matmul' ./bench        # ours alone
//	go run ./bench/compare -only '^matmul/'      # beside NumPy and PyTorch, interleaved
//
// README.md says how to set up the peers, docs/performance.md what came out.
package bench
