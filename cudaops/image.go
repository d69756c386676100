package cudaops

import "github.com/ndgrad/ndgrad/cudaops/kernels"

// kernelImage returns the code of a file of kernels for the driver. The driver rejects a file that was not compiled.
// The CPU emulator has its own kernels and reads no code.
func kernelImage(file string, rank int) []byte {
	ptx, err := kernels.PTX(file, rank)
	if err != nil {
		return []byte("// " + err.Error() + "\x00")
	}
	return ptx
}
