package scalar

import "github.com/ndgrad/ndgrad/device"

// Functions are the opcodes' functions of one float. Narrower types compute in float64 and round once.
var Functions = [device.OpCount]func(float64) float64{
	device.OpRsqrt:    Rsqrt,
	device.OpCbrt:     Cbrt,
	device.OpExp:      Exp,
	device.OpExp2:     Exp2,
	device.OpExp10:    Exp10,
	device.OpExpm1:    Expm1,
	device.OpLog:      Log,
	device.OpLog2:     Log2,
	device.OpLog10:    Log10,
	device.OpLog1p:    Log1p,
	device.OpSin:      Sin,
	device.OpCos:      Cos,
	device.OpTan:      Tan,
	device.OpAsin:     Asin,
	device.OpAcos:     Acos,
	device.OpAtan:     Atan,
	device.OpSinh:     Sinh,
	device.OpCosh:     Cosh,
	device.OpTanh:     Tanh,
	device.OpAsinh:    Asinh,
	device.OpAcosh:    Acosh,
	device.OpAtanh:    Atanh,
	device.OpSigmoid:  Sigmoid,
	device.OpSoftplus: Softplus,
	device.OpErf:      Erf,
	device.OpErfc:     Erfc,
	device.OpErfinv:   Erfinv,
	device.OpGamma:    Gamma,
	device.OpLgamma:   Lgamma,
	device.OpDigamma:  Digamma,
	device.OpTrigamma: Trigamma,
	device.OpNdtr:     Ndtr,
	device.OpLogNdtr:  LogNdtr,
	device.OpSinc:     Sinc,
	device.OpI0:       I0,
	device.OpI1:       I1,
}

// Functions2 are those of two floats.
var Functions2 = [device.OpCount]func(a, b float64) float64{
	device.OpPow:        Pow,
	device.OpAtan2:      Atan2,
	device.OpHypot:      Hypot,
	device.OpLogAddExp:  LogAddExp,
	device.OpLogAddExp2: LogAddExp2,
}

// ComplexFunctions are those of one complex number. complex64 computes in complex128 and rounds once.
var ComplexFunctions = [device.OpCount]func(complex128) complex128{
	device.OpSign:  CSign,
	device.OpRint:  CRint,
	device.OpSqrt:  CSqrt,
	device.OpExp:   CExp,
	device.OpExp2:  CExp2,
	device.OpExpm1: CExpm1,
	device.OpLog:   CLog,
	device.OpLog2:  CLog2,
	device.OpLog10: CLog10,
	device.OpLog1p: CLog1p,
	device.OpSin:   CSin,
	device.OpCos:   CCos,
	device.OpTan:   CTan,
	device.OpAsin:  CAsin,
	device.OpAcos:  CAcos,
	device.OpAtan:  CAtan,
	device.OpSinh:  CSinh,
	device.OpCosh:  CCosh,
	device.OpTanh:  CTanh,
	device.OpAsinh: CAsinh,
	device.OpAcosh: CAcosh,
	device.OpAtanh: CAtanh,
}
