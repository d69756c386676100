//go:build !late && !storm

package nd

import "github.com/ndgrad/ndgrad/device"

// leastDeferred is the smallest number of elements of a result that is deferred. Smaller ones are computed by a Flat, which takes
// less time than to defer them.
const leastDeferred = device.FlatLen + 1
