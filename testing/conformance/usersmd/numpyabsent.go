package main

// numpyAbsent lists the names of NumPy that have no counterpart here, and what to use instead.
var numpyAbsent = []absence{
	// Element types and files.
	{"numpy.datetime64 numpy.timedelta64 numpy.datetime_as_string numpy.datetime_data numpy.isnat numpy.busday_count numpy.busday_offset numpy.busdaycalendar numpy.is_busday", "dates are int64 here; package `time` reads, writes and reckons them"},
	{"numpy.str_ numpy.bytes_ numpy.character numpy.object_ numpy.void numpy.flexible", "elements are numbers and bools: Go slices and structs for others, an array a field for records"},
	{"numpy.memmap", "`nd.OpenNpyRows` reads rows of a file that is larger than memory"},
	{"numpy.record numpy.recarray", "an array a field"},
	{"numpy.matrix numpy.asmatrix numpy.bmat", "arrays of two axes"},
	{"numpy.longdouble numpy.clongdouble numpy.float128 numpy.complex256", "`dtype.Float64`, `dtype.Complex128`; package `math/big` for more digits"},
	{"numpy.typename numpy.mintypecode", "`x.DType().String()`; `dtype.ResultType` says what dtypes meet in"},
	{"numpy.from_dlpack", "`nd.Wrap` of a slice on foreign memory"},
	{"numpy.fromregex", "`nd.LoadText` for tables; package `encoding/csv` or `regexp`, then `nd.FromSlice`, for what has another form"},

	// Nothing is global.
	{"numpy.errstate numpy.seterr numpy.geterr numpy.seterrcall numpy.geterrcall numpy.setbufsize numpy.getbufsize", "nothing to set: IEEE 754 results, no warnings; `ops.IsFinite` asks afterwards"},

	// Arrays.
	{"numpy.ndarray.setflags", "broadcast views cannot be written to, all other arrays can"},
	{"numpy.ndarray.byteswap numpy.ndarray.ctypes", "arrays have the machine's order; readers of files turn the others round"},

	// Functions.
	{"numpy.poly1d", "package `nd/ops/poly`: functions of arrays of coefficients"},

	// Random numbers.
	{"numpy.random.Generator.dirichlet", "`random.Gamma` draws divided by their sum"},
	{"numpy.random.Generator.hypergeometric numpy.random.Generator.multivariate_hypergeometric", "what is among the first of a `random.Permutation`"},
	{"numpy.random.Generator.logseries numpy.random.Generator.zipf numpy.random.Generator.vonmises numpy.random.Generator.wald numpy.random.Generator.noncentral_chisquare numpy.random.Generator.noncentral_f", "`math/rand/v2` and gonum's `stat/distuv` on the host, then `nd.FromSlice`"},
}
