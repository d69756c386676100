//go:build storm

package memory

// Under the tag storm every block is recycled: see testing/storm.
const leastStored, leastRecycled = 1, 1
