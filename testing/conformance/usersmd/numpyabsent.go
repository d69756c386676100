package main

// numpyAbsent lists the names of NumPy that have no counterpart here, and what to use instead.
var numpyAbsent = []absence{
	// Element types and files.
	{"numpy.datetime64 numpy.timedelta64 numpy.datetime_as_string numpy.datetime_data numpy.isnat numpy.busday_count numpy.busday_offset numpy.busdaycalendar numpy.is_busday", "store dates as int64; package `time` parses, formats and computes with them"},
	{"numpy.str_ numpy.bytes_ numpy.character numpy.object_ numpy.void numpy.flexible", "elements are numbers and bools: use Go slices and structs for other values, and one array per field for records"},
	{"numpy.memmap", "`nd.OpenNpyRows` reads rows of a file that is larger than memory"},
	{"numpy.record numpy.recarray", "one array per field"},
	{"numpy.matrix numpy.asmatrix numpy.bmat", "arrays of two axes"},
	{"numpy.longdouble numpy.clongdouble numpy.float128 numpy.complex256", "`dtype.Float64`, `dtype.Complex128`; package `math/big` for more digits"},
	{"numpy.typename numpy.mintypecode", "`x.DType().String()`; `dtype.ResultType` returns the dtype that several dtypes promote to"},
	{"numpy.from_dlpack", "`nd.Wrap` of a slice that points to the foreign memory"},
	{"numpy.fromregex", "`nd.LoadText` for tables; package `encoding/csv` or `regexp`, then `nd.FromSlice`, for other formats"},

	// Nothing is global.
	{"numpy.errstate numpy.seterr numpy.geterr numpy.seterrcall numpy.geterrcall numpy.setbufsize numpy.getbufsize", "nothing to set: results follow IEEE 754, without warnings; check results with `ops.IsFinite`"},

	// Arrays.
	{"numpy.ndarray.setflags", "broadcast views are read-only, all other arrays are writable"},
	{"numpy.ndarray.byteswap numpy.ndarray.ctypes", "arrays have native byte order; the file readers convert other orders"},

	// Functions.
	{"numpy.poly1d", "package `nd/ops/poly` has functions on coefficient arrays"},

	// Random numbers.
	{"numpy.random.Generator.multivariate_hypergeometric", "count the marked elements among the first ones of a `random.Permutation`"},
}
