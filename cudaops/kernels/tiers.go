package kernels

import "github.com/ndgrad/ndgrad/device"

// IsSpecial reports whether an opcode is a special function, which few programs use.
func IsSpecial(op device.Op) bool {
	return op >= device.OpErfcx && op <= device.OpGammaPDF || op == device.OpLogAddExp || op == device.OpLogAddExp2
}

// IsFunction reports whether an opcode is a function of real numbers, as opposed to arithmetic.
func IsFunction(op device.Op) bool {
	return op >= device.OpRsqrt && op <= device.OpErfc || op == device.OpPow || op == device.OpAtan2 || op == device.OpHypot || IsSpecial(op)
}
