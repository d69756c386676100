// Package golden reads golden cases: what reference systems computed for given arguments.
//
// A folder of cases is a suite. A case suite has two files a function, NAME.json (the cases) and NAME.npz (their arrays;
// missing where there are none). [Open] reads one function's files, [Suites] finds the folders, [Suite.Files] the files.
//
// What JSON writes is kept apart as [Value]s: an integer stays an integer of any size, a list keeps its items, an object
// with a meaning ({"array": key}, {"dtype": name}, …) becomes the type of that meaning. The order of names is kept.
package golden
