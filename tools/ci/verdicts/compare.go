// Command compare reads lines of JSON, each a pair of versions, and prints how each pair is ordered: -1, 0 or 1, and x if a version is none.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/version"
	"os"

	bitnami "github.com/bitnami/go-version/pkg/version"
	"golang.org/x/mod/semver"
)

var orders = map[string]func(a, b string) string{
	"module": func(a, b string) string {
		if !semver.IsValid(a) || !semver.IsValid(b) {
			return "x"
		}
		return fmt.Sprint(semver.Compare(a, b))
	},
	"toolchain": func(a, b string) string {
		if !version.IsValid(a) || !version.IsValid(b) {
			return "x"
		}
		return fmt.Sprint(version.Compare(a, b))
	},
	"bitnami": func(a, b string) string {
		one, err := bitnami.Parse(a)
		other, fault := bitnami.Parse(b)
		if err != nil || fault != nil {
			return "x"
		}
		return fmt.Sprint(one.Compare(other))
	},
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var pair [2]string
		if err := json.Unmarshal(lines.Bytes(), &pair); err != nil {
			panic(err)
		}
		fmt.Println(orders[os.Args[1]](pair[0], pair[1]))
	}
}
