//go:build late || storm

package nd

// leastDeferred is the smallest number of elements of a result that is deferred. Under the tags late and storm, which are for
// tests, every result is deferred that can be.
const leastDeferred = 1
