package cudaops

import "github.com/ndgrad/ndgrad/cudaops/kernels"

// kernelImage returns the code of a file of kernels for the driver. One that was not compiled is refused by that; the stand-in
// driver has kernels of its own, and reads no code.
func kernelImage(file string, rank int) []byte {
	ptx, err := kernels.PTX(file, rank)
	if err != nil {
		return []byte("// " + err.Error() + "\x00")
	}
	return ptx
}
