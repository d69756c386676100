// Package lanes factors and rotates many small matrices side by side: vector number e of a group of matrices holds element e of each
// matrix, one matrix in each lane. It also has steps of the elimination of a single matrix (single.go). All is in assembly and in
// plain Go.
package lanes

//go:generate go run -C ../gen ./lanes -out ../lanes/lanes_amd64.s -stubs ../lanes/lanes_amd64.go -pkg lanes
//go:generate go run -C ../gen ./lanes -neon -out ../lanes/lanes_arm64.s -stubs ../lanes/lanes_arm64.go -pkg lanes
//go:generate go run -C ../gen ./neon ../lanes/lanes_arm64.s ../lanes/lanes_arm64.go
//go:generate go run ../sum lanes
