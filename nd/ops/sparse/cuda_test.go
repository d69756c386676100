//go:build cuda

package sparse_test

import _ "github.com/ndgrad/ndgrad/cudaops" // tests of devices run on GPUs, too
