// Package memvar shows the memory of arrays on a server, as a variable of package expvar, beside memstats. It is a
// separate package because expvar imports package net/http.
//
//	memvar.Publish("ndgrad")
//
// makes http://…/debug/vars show, under that name, how many blocks of memory are alive, by the function that made them:
//
//	{"blocks": 4, "bytes": 32000, "pinned": 1, "makers": [
//		{"func": "ops.Multiply", "device": "cpu", "blocks": 3, "bytes": 24000, "pinned": 1},
//		{"func": "nd.Ones", "device": "cpu", "blocks": 1, "bytes": 8000, "pinned": 0}]}
package memvar

import (
	"expvar"

	"github.com/ndgrad/ndgrad/nd"
)

// maker and table are the published structures.
type (
	maker struct {
		Func   nd.Func `json:"func"`
		Device string  `json:"device"`
		Blocks int     `json:"blocks"`
		Bytes  int64   `json:"bytes"`
		Pinned int     `json:"pinned"`
	}
	table struct {
		Blocks int     `json:"blocks"`
		Bytes  int64   `json:"bytes"`
		Pinned int     `json:"pinned"`
		Makers []maker `json:"makers"`
	}
)

// Publish turns [nd.CountMemory] on, and publishes [nd.MemoryByMaker] under a name. Like [expvar.Publish] it ends the program if
// the name is taken.
func Publish(name string) {
	nd.CountMemory(true)
	expvar.Publish(name, expvar.Func(func() any {
		rows := nd.MemoryByMaker()
		all := rows.Total()
		t := table{all.Blocks, all.Bytes, all.Pinned, make([]maker, len(rows))}
		for i, row := range rows {
			t.Makers[i] = maker(row)
		}
		return t
	}))
}
