//go:build !amd64 || purego

package order

import "slices"

func vectors() bool { return false }

func networkLen[K Key]() int { return 1 }

func partitionBlocks[K Key](x []K, unread, room *[2]int, pivot K) {}

func partitionHeld[K Key](held, x []K, room *[2]int, pivot K) {}

func network[K Key](x []K) { slices.Sort(x) }
