// Package order sorts and selects: in assembly with 512-bit vectors, and in plain Go.
package order

//go:generate go run -C ../gen ./order -out ../order/order_amd64.s -stubs ../order/order_amd64.go -pkg order
//go:generate go run ../sum order
