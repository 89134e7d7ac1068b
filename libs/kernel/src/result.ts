/** An expected result, returned as a value: the requested value, or the refusal. */
export type Result<Value, Refusal> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly refusal: Refusal };

export function ok<Value>(value: Value): Result<Value, never> {
  return { ok: true, value };
}

export function err<const Refusal>(refusal: Refusal): Result<never, Refusal> {
  return { ok: false, refusal };
}
