package main

// numpyAbsent lists the names of NumPy that have no counterpart here.
var numpyAbsent = []absence{}
