package linalg_test

import _ "github.com/ndgrad/ndgrad/testing/deferring" // runs tests of devices on this device, too
