package main

// exclusions is the one table of public names that the documents leave out; a test holds it to 15 % of all names.
var exclusions = []exclusion{
	// NumPy.
	exclude(`numpy\.(\w+\.)?test|numpy\.(show_config|show_runtime|get_include|info)`, "about the installation of NumPy itself"),
	exclude(`numpy\.(memmap|record|recarray|matrix|asmatrix|bmat)`, "classes that NumPy's own documents advise against, or of records"),
}
