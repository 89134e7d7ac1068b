// Command rego compiles and evaluates bundles of Rego, as a WebAssembly module without files, network, environment or clock of its own.
// The host writes a request to the memory at `alloc`, calls `run`, and reads the answer at `answer`. Both are JSON.
package main

import (
	"encoding/json"
	"fmt"
	"runtime/debug"
	"unsafe"
)

// memoryLimit makes the collector work harder before the memory ends, which is at 256 MiB.
const memoryLimit = 208 << 20

var request, response []byte

//go:wasmexport alloc
func alloc(size uint32) uint32 {
	request = make([]byte, size)
	return address(request)
}

//go:wasmexport run
func run() uint32 {
	response = []byte(handle(request))
	request = nil
	return uint32(len(response))
}

//go:wasmexport answer
func answer() uint32 {
	return address(response)
}

func address(bytes []byte) uint32 {
	return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(bytes))))
}

// handle answers a request. With `files` it compiles a bundle and keeps it by its digest. With `input` it evaluates one that it keeps. Else it
// says whether it keeps it.
func handle(text []byte) (result []byte) {
	defer func() {
		if reason := recover(); reason != nil {
			result = marshal(failure{Kind: "evaluate", Message: beginning(fmt.Sprint("internal error: ", reason), messageMax)})
		}
	}()
	var call struct {
		Digest string            `json:"digest"`
		Files  map[string]string `json:"files"`
		Input  json.RawMessage   `json:"input"`
		Params json.RawMessage   `json:"params"`
		// Nanoseconds since 1970.
		Time int64 `json:"time,string"`
	}
	if err := json.Unmarshal(text, &call); err != nil {
		return marshal(failure{Kind: "input_shape", Message: err.Error()})
	}
	if call.Files != nil {
		compiled, failed := compile(call.Files)
		if failed != nil {
			return marshal(*failed)
		}
		compiled.size = len(text)
		keep(call.Digest, compiled)
	}
	kept := bundles[call.Digest]
	if kept == nil {
		return []byte(`{"kind":"missing"}`)
	}
	if call.Input == nil {
		return []byte(`{"kind":"compiled"}`)
	}
	verdict, failed := kept.evaluate(call.Input, call.Params, call.Time)
	if failed != nil {
		return marshal(*failed)
	}
	return marshal(verdict)
}

func marshal(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return text
}

const (
	// bundlesMax is how many compiled bundles are kept, and sizeMax the size of their sources together.
	bundlesMax = 16
	sizeMax    = 2 << 20
	// messageMax is the size of a message (bytes).
	messageMax = 1000
)

var (
	bundles = map[string]*bundle{}
	// The digests of these, the oldest first.
	order []string
	size  int
)

func keep(digest string, compiled *bundle) {
	if bundles[digest] != nil {
		return
	}
	bundles[digest] = compiled
	order = append(order, digest)
	size += compiled.size
	for len(order) > 1 && (len(order) > bundlesMax || size > sizeMax) {
		size -= bundles[order[0]].size
		delete(bundles, order[0])
		order = order[1:]
	}
}

func init() { debug.SetMemoryLimit(memoryLimit) }

func main() {}
