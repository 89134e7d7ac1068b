package main

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/util"
)

// failure is why a bundle has no verdict.
type failure struct {
	Kind     string    `json:"kind"`
	Message  string    `json:"message"`
	Problems []problem `json:"problems,omitempty"`
}

// problem is one place in a file that does not compile. Lines and columns begin with 1.
type problem struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Text   string `json:"text"`
}

// problemsMax is how many problems a failure names.
const problemsMax = 10

// bundle is a compiled bundle.
type bundle struct {
	compiler *ast.Compiler
	data     map[string]any
	// The policy package, such as data.policy.
	policy ast.Ref
	// Whether the policy package has a rule `violations`.
	hasViolations bool
	// The size of its files (bytes).
	size int
	// The names of further rules that are part of the result, in order.
	outputs []string
}

// compile reads and compiles the files of a bundle.
func compile(files map[string]string) (*bundle, *failure) {
	modules := map[string]*ast.Module{}
	data := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		switch {
		case strings.HasSuffix(name, "_test.rego"):
		case strings.HasSuffix(name, ".rego"):
			module, err := ast.ParseModuleWithOpts(name, files[name], ast.ParserOptions{ProcessAnnotation: true, RegoVersion: ast.RegoV1})
			if err != nil {
				return nil, compileFailure(name, err)
			}
			// A file of comments alone.
			if module != nil {
				modules[name] = module
			}
		case isData(name):
			if text := addData(data, name, files[name]); text != "" {
				return nil, &failure{Kind: "compile", Message: name + ": " + text, Problems: []problem{{File: name, Line: 1, Column: 1, Text: text}}}
			}
		}
	}
	policy, failed := policyPackage(modules)
	if failed != nil {
		return nil, failed
	}
	exists := func(path []string) (bool, error) { return hasPath(data, path), nil }
	compiler := ast.NewCompiler().WithCapabilities(allowed).WithPathConflictsCheck(exists)
	compiler.Compile(modules)
	if compiler.Failed() {
		return nil, compileFailure("", compiler.Errors)
	}
	compiled := &bundle{compiler: compiler, data: data, policy: policy}
	failed = compiled.addOutputs(modules)
	if failed != nil {
		return nil, failed
	}
	return compiled, nil
}

func compileFailure(file string, err error) *failure {
	problems := []problem{}
	if list, ok := err.(ast.Errors); ok {
		for _, each := range list[:min(len(list), problemsMax)] {
			at := problem{File: file, Line: 1, Column: 1, Text: each.Code + ": " + each.Message}
			if each.Location != nil {
				// The end of a file has no column.
				at.File, at.Line, at.Column = each.Location.File, each.Location.Row, max(1, each.Location.Col)
			}
			problems = append(problems, at)
		}
	} else {
		problems = append(problems, problem{File: file, Line: 1, Column: 1, Text: err.Error()})
	}
	texts := []string{}
	for i, each := range problems {
		problems[i].Text = strings.ToValidUTF8(beginning(each.Text, 300), "")
		texts = append(texts, fmt.Sprintf("%s:%d:%d: %s", each.File, each.Line, each.Column, problems[i].Text))
	}
	return &failure{Kind: "compile", Message: strings.Join(texts, "\n"), Problems: problems}
}

func beginning(text string, size int) string {
	if len(text) <= size {
		return text
	}
	return strings.ToValidUTF8(text[:size], "") + "…"
}

func isData(name string) bool {
	base := path.Base(name)
	return base == "data.json" || base == "data.yaml" || base == "data.yml" ||
		strings.HasSuffix(base, ".ergo.yaml") || strings.HasSuffix(base, ".ergo.yml")
}

// addData adds a data file at the path of its directory. It returns why it cannot.
func addData(data map[string]any, name, text string) string {
	var value any
	if err := util.Unmarshal([]byte(text), &value); err != nil {
		return beginning(err.Error(), 300)
	}
	object, isObject := value.(map[string]any)
	directory := []string{}
	if dir := path.Dir(name); dir != "." {
		directory = strings.Split(dir, "/")
	}
	if len(directory) == 0 && !isObject {
		return "data of the root must be an object"
	}
	for _, reserved := range [][]string{{"params"}, {"kosli", "evaluation_time"}} {
		if hasPath(wrapped(directory, value), reserved) {
			return "data." + strings.Join(reserved, ".") + " is reserved"
		}
	}
	if len(directory) > 0 {
		object = wrapped(directory, value).(map[string]any)
	}
	if at := merge(data, object); at != "" {
		return "another file has data" + at
	}
	return ""
}

// wrapped is the value below the keys of a path.
func wrapped(path []string, value any) any {
	for _, key := range slices.Backward(path) {
		value = map[string]any{key: value}
	}
	return value
}

// merge adds objects to objects. It returns the path of the first value that both have.
func merge(into, from map[string]any) string {
	for _, key := range slices.Sorted(maps.Keys(from)) {
		value, taken := into[key]
		if !taken {
			into[key] = from[key]
			continue
		}
		left, isLeft := value.(map[string]any)
		right, isRight := from[key].(map[string]any)
		if !isLeft || !isRight {
			return "." + key
		}
		if at := merge(left, right); at != "" {
			return "." + key + at
		}
	}
	return ""
}

func hasPath(value any, path []string) bool {
	for _, key := range path {
		object, isObject := value.(map[string]any)
		if !isObject {
			return false
		}
		if value, isObject = object[key]; !isObject {
			return false
		}
	}
	return true
}

// policyPackage finds the package that declares `allow`.
func policyPackage(modules map[string]*ast.Module) (ast.Ref, *failure) {
	candidates := map[string]ast.Ref{}
	annotated := map[string]bool{}
	for _, module := range modules {
		name := module.Package.Path.String()
		for _, rule := range module.Rules {
			if isNamed(rule, "allow") {
				candidates[name] = module.Package.Path
			}
		}
		for _, annotation := range module.Annotations {
			annotated[name] = annotated[name] || annotation.Entrypoint
		}
	}
	if len(candidates) > 1 {
		all := strings.Join(slices.Sorted(maps.Keys(candidates)), ", ")
		maps.DeleteFunc(candidates, func(name string, _ ast.Ref) bool { return !annotated[name] })
		if len(candidates) != 1 {
			return nil, &failure{Kind: "entrypoint", Message: fmt.Sprintf(
				"exactly one of the packages that declare allow must have an entrypoint annotation: %s", beginning(all, 1000))}
		}
	}
	for _, policy := range candidates {
		return policy, nil
	}
	return nil, &failure{Kind: "no_policy", Message: "no package of the policy declares allow"}
}

func isNamed(rule *ast.Rule, name string) bool {
	ref := rule.Head.Ref()
	return len(ref) == 1 && ref[0].Value.Compare(ast.Var(name)) == 0
}

// addOutputs finds the rules that are part of the result, and refuses entry points that are none of the policy package.
func (b *bundle) addOutputs(modules map[string]*ast.Module) *failure {
	names := map[string]bool{}
	for _, file := range slices.Sorted(maps.Keys(modules)) {
		module := modules[file]
		isPolicy := module.Package.Path.Equal(b.policy)
		for _, rule := range module.Rules {
			b.hasViolations = b.hasViolations || isPolicy && isNamed(rule, "violations")
			if isPolicy && len(rule.Head.Args) > 0 && (isNamed(rule, "allow") || isNamed(rule, "violations")) {
				return &failure{Kind: "entrypoint", Message: fmt.Sprintf("%s: %s is a function", rule.Loc(), rule.Head.Ref())}
			}
		}
		for _, annotation := range module.Annotations {
			if !annotation.Entrypoint {
				continue
			}
			if !isPolicy {
				return &failure{Kind: "entrypoint", Message: fmt.Sprintf("%s: an entry point must be in the package %s", annotation.Loc(), b.policy)}
			}
			target := annotation.GetTargetPath()
			if annotation.Scope == "package" {
				continue
			}
			if len(target) != len(b.policy)+1 {
				return &failure{Kind: "entrypoint", Message: fmt.Sprintf("%s: the name of an entry point must be one word", annotation.Loc())}
			}
			for _, rule := range b.compiler.GetRulesExact(target) {
				if len(rule.Head.Args) > 0 {
					return &failure{Kind: "entrypoint", Message: fmt.Sprintf("%s: an entry point cannot be a function", annotation.Loc())}
				}
			}
			if name, ok := target[len(target)-1].Value.(ast.String); ok && name != "allow" && name != "violations" {
				names[string(name)] = true
			}
		}
	}
	b.outputs = slices.Sorted(maps.Keys(names))
	return nil
}
