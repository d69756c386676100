package scalar

// i0Tail holds the coefficients of sqrt(x)*exp(-x)*I0(x) for x above 12 in powers
// of 1/x.
var i0Tail = [21]float64{
	0x1.9884533d43651p-2, 0x1.9884533d43679p-5, 0x1.cb94dda4c8a78p-6, 0x1.debb11ecd55fcp-6,
	0x1.6e86f23ec3899p-5, 0x1.733c2ebeee79ap-4, 0x1.ca17b06985844p-3, 0x1.341067af4919p+0,
	-0x1.3561a47250511p+5, 0x1.36288a9f507a8p+11, -0x1.bc3b6dbc8fab5p+16, 0x1.ee8db34625031p+21,
	-0x1.abe4b65f7e6fap+26, 0x1.1fdb56d1dba12p+31, -0x1.2b657bd772402p+35, 0x1.db87b2eb511e5p+38,
	-0x1.1a3bdd55e0cfbp+42, 0x1.e36beaa721fefp+44, -0x1.1959d51a14426p+47, 0x1.8d534c1c4373p+48,
	-0x1.0059887f9f6p+49,
}

// i0Series holds 1/(k!)**2, the power series of I0 in (x/2)**2.
var i0Series = [32]float64{
	0x1p+0, 0x1p+0, 0x1p-2, 0x1.c71c71c71c71cp-6,
	0x1.c71c71c71c71cp-10, 0x1.23456789abcdfp-14, 0x1.02e85c0898b71p-19, 0x1.522a43f65486ap-25,
	0x1.522a43f65486ap-31, 0x1.0b313289be0b9p-37, 0x1.5601885e63e5dp-44, 0x1.69ca9cf3b7f54p-51,
	0x1.4197a7f5154bcp-58, 0x1.e725594ee52e9p-66, 0x1.3e22d70ef3b5fp-73, 0x1.69f7da8510bcdp-81,
	0x1.69f7da8510bcdp-89, 0x1.40a2dc2460523p-97, 0x1.faaf2fa1c79e5p-106, 0x1.674f8e46c208cp-114,
	0x1.cbeaf38dc529fp-123, 0x1.0afb53e9cec0bp-131, 0x1.1a6d4e307528fp-140, 0x1.1159d2b18fe1fp-149,
	0x1.e5f504c9e358cp-159, 0x1.8e189760fbc74p-168, 0x1.2d843c1f0a6f9p-177, 0x1.a787875e855a5p-187,
	0x1.149733d53cf71p-196, 0x1.50c6b70b8d80dp-206, 0x1.7f2d2fd687f7dp-216, 0x1.984bda886ca72p-226,
}
