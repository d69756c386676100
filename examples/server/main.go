// Server answers requests with the kind of a file: source of some language, a picture, an archive and so on. The classifier is the
// network of the package magika, which is imported from ONNX; testing/onnx/fetch.sh fetches it:
//
//	testing/onnx/fetch.sh /tmp/models
//	CGO_ENABLED=0 go build ./examples/server
//	./server -model /tmp/models/magika/models/standard_v3_3
//	curl --data-binary @main.go localhost:8080/classify
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/ndgrad/ndgrad/examples/internal/serving"
	"github.com/ndgrad/ndgrad/nd/memvar"
)

func main() {
	folder := flag.String("model", "standard_v3_3", "folder with magika's model.onnx and config.min.json")
	address := flag.String("addr", "localhost:8080", "address to listen at")
	flag.Parse()
	memvar.Publish("arrays") // before the parameters exist, so that it shows them too
	if err := run(*folder, *address); err != nil {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(1)
	}
}

func run(folder, address string) error {
	c, err := load(folder)
	if err != nil {
		return err
	}
	s := &server{classifier: c, turns: serving.NewTurns(runtime.GOMAXPROCS(0), 2*time.Second), most: 64 << 20}
	return serving.ListenAndServe(address, serving.Handler(s.classify))
}
