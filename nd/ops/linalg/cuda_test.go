//go:build cuda

package linalg_test

import _ "github.com/ndgrad/ndgrad/cudaops" // runs tests of devices on GPUs, too
