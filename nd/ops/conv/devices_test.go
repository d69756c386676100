package conv_test

import _ "github.com/ndgrad/ndgrad/testing/deferring" // tests of devices run on it, too
