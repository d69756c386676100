// Package golden reads golden cases: results that reference systems computed for given arguments.
//
// A folder of cases is a suite. A case suite has two files per function: NAME.json (the cases) and NAME.npz (their
// arrays; missing if there are none). [Open] reads the files of one function, [Suites] finds the folders, [Suite.Files]
// the files.
//
// [Value]s keep the distinctions of the JSON text: an integer stays an integer of any size, a list keeps its items, and
// an object with a meaning ({"array": key}, {"dtype": name}, …) becomes the type with that meaning. Names keep their
// order.
package golden
