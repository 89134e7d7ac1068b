package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"time"
	"unicode/utf8"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/storage"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
	"github.com/open-policy-agent/opa/v1/topdown"
	"github.com/open-policy-agent/opa/v1/util"
)

const (
	violationsMax = 1000
	// In characters.
	violationMax = 1000
	// In bytes of JSON.
	outputMax = 1 << 20
)

// verdict is the result of an evaluation.
type verdict struct {
	Kind   string         `json:"kind"`
	Result map[string]any `json:"result"`
}

// evaluate runs the rules of a bundle. The time is in nanoseconds since 1970.
func (b *bundle) evaluate(input, params json.RawMessage, at int64) (*verdict, *failure) {
	term, err := ast.ValueFromReader(bytes.NewReader(input))
	if err != nil {
		return nil, &failure{Kind: "input_shape", Message: err.Error()}
	}
	var parameters any
	if err := util.UnmarshalJSON(params, &parameters); err != nil {
		return nil, &failure{Kind: "input_shape", Message: err.Error()}
	}
	data := maps.Clone(b.data)
	kosli := map[string]any{}
	if own, isObject := data["kosli"].(map[string]any); isObject {
		kosli = maps.Clone(own)
	}
	kosli["evaluation_time"] = json.Number(fmt.Sprint(at))
	data["kosli"], data["params"] = kosli, parameters
	run := evaluation{bundle: b, input: ast.NewTerm(term), time: time.Unix(0, at), cache: topdown.NewVirtualCache()}
	run.store = inmem.NewFromObjectWithOpts(data, inmem.OptRoundTripOnWrite(false))
	return run.verdict()
}

type evaluation struct {
	*bundle
	input *ast.Term
	time  time.Time
	store storage.Store
	cache topdown.VirtualCache
}

func (e *evaluation) verdict() (*verdict, *failure) {
	allow, failed := e.value("allow")
	if failed != nil {
		return nil, failed
	}
	if allow == nil {
		return nil, &failure{Kind: "result_shape", Message: "allow is undefined for this input; it must be true or false"}
	}
	allowed, isBool := allow.(bool)
	if !isBool {
		return nil, &failure{Kind: "result_shape", Message: "allow must be true or false"}
	}
	result := map[string]any{"allow": allowed}
	if e.hasViolations {
		violations, failed := e.value("violations")
		if failed == nil && violations != nil {
			failed = checkViolations(violations)
			result["violations"] = violations
		}
		if failed != nil {
			return nil, failed
		}
	}
	for _, name := range e.outputs {
		value, failed := e.value(name)
		if failed != nil {
			return nil, failed
		}
		if value != nil {
			result[name] = value
		}
	}
	if size := len(marshal(result)); size > outputMax {
		return nil, &failure{Kind: "result_shape", Message: fmt.Sprintf("the result is %d bytes, over the limit of %d", size, outputMax)}
	}
	return &verdict{Kind: "evaluated", Result: result}, nil
}

func checkViolations(value any) *failure {
	list, isList := value.([]any)
	if !isList {
		return &failure{Kind: "result_shape", Message: "violations must be a set or an array of texts"}
	}
	if len(list) > violationsMax {
		return &failure{Kind: "result_shape", Message: fmt.Sprintf("violations has %d texts, over the limit of %d", len(list), violationsMax)}
	}
	for _, each := range list {
		text, isText := each.(string)
		if !isText {
			return &failure{Kind: "result_shape", Message: "violations must be a set or an array of texts"}
		}
		if size := utf8.RuneCountInString(text); size > violationMax {
			return &failure{Kind: "result_shape", Message: fmt.Sprintf("a violation has %d characters, over the limit of %d", size, violationMax)}
		}
	}
	return nil
}

// null is the value of a rule. A rule without a value is undefined, which is nil.
type null struct{}

func (null) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// value evaluates a rule of the policy package. It is nil if the rule is undefined.
func (e *evaluation) value(name string) (any, *failure) {
	ctx := context.Background()
	rule := ast.NewTerm(e.policy.Append(ast.StringTerm(name)))
	compiler := e.compiler.QueryCompiler()
	query, err := compiler.Compile(ast.NewBody(ast.Equality.Expr(ast.VarTerm("value"), rule)))
	if err != nil {
		return nil, &failure{Kind: "evaluate", Message: beginning(err.Error(), messageMax)}
	}
	txn, err := e.store.NewTransaction(ctx)
	if err != nil {
		return nil, &failure{Kind: "evaluate", Message: err.Error()}
	}
	defer e.store.Abort(ctx, txn)
	results, err := topdown.NewQuery(query).WithCompiler(e.compiler).WithQueryCompiler(compiler).WithStore(e.store).WithTransaction(txn).
		WithInput(e.input).WithTime(e.time).WithStrictBuiltinErrors(true).WithVirtualCache(e.cache).Run(ctx)
	if err != nil {
		return nil, &failure{Kind: "evaluate", Message: beginning(err.Error(), messageMax)}
	}
	if len(results) == 0 {
		return nil, nil
	}
	value, err := ast.JSON(results[0][ast.Var("value")].Value)
	if err != nil {
		return nil, &failure{Kind: "result_shape", Message: name + ": " + err.Error()}
	}
	if value == nil {
		return null{}, nil
	}
	return value, nil
}
