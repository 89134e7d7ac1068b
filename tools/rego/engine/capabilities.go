package main

import (
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// refused are the built-ins that need a network, a random number or the process, that sign or verify, and that print.
var refused = []string{"http.send", "net.", "opa.runtime", "rand.", "uuid.", "trace", "io.jwt.verify_", "io.jwt.encode_sign", "io.jwt.decode_verify", "providers."}

// allowed are the capabilities of this version of OPA without what is refused. No host may be asked for a schema.
var allowed = capabilities()

func capabilities() *ast.Capabilities {
	all := ast.CapabilitiesForThisVersion()
	all.AllowNet = []string{}
	all.Builtins = slices.DeleteFunc(all.Builtins, func(builtin *ast.Builtin) bool {
		return slices.ContainsFunc(refused, func(name string) bool {
			return builtin.Name == name || strings.HasPrefix(builtin.Name, name) && strings.ContainsAny(name, "._")
		})
	})
	return all
}
