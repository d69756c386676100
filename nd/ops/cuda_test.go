//go:build cuda

package ops_test

import _ "github.com/ndgrad/ndgrad/cudaops" // runs tests of devices on GPUs, too
