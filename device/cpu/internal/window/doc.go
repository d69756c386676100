// Package window combines the elements under sliding windows, and spreads gradients back over them: the rows of device/cpu's
// pooling, for float32 and float64, in assembly and in plain Go.
package window

//go:generate go run -C ../gen ./window -out ../window/window_amd64.s -stubs ../window/window_amd64.go -pkg window
//go:generate go run ../sum window
