//go:build cuda

package conv_test

import _ "github.com/ndgrad/ndgrad/cudaops" // tests of devices run on GPUs, too
