// Package products multiplies many small matrices, in assembly and in plain Go: batches in which the result of each product has few
// columns. Each sum begins with 0 and adds products along the depth with one rounding each, like those of package gemm.
package products

//go:generate go run -C ../gen ./products -out ../products/products_amd64.s -stubs ../products/products_amd64.go -pkg products
//go:generate go run ../sum products
