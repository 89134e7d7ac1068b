/** A value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * The canonical JSON text of a value (RFC 8785): keys sorted by UTF-16 code units, no white space,
 * numbers as ECMAScript prints them. Two equal values have one text, so texts can be hashed and compared.
 *
 * `undefined` properties are left out, as `JSON.stringify` does.
 *
 * @throws TypeError for what RFC 8785 refuses: NaN, infinities, lone surrogates, and values that are not JSON.
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return quoted(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError('canonical JSON has no NaN and no infinities');
      return JSON.stringify(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return array(value);
      // Dates, maps, sets and bytes have no members of their own: as `{}` they would all be one value.
      if (Object.prototype.toString.call(value) !== '[object Object]') throw unfit(value);
      return object(value as Record<string, unknown>);
    default:
      throw unfit(value);
  }
}

function unfit(value: unknown): TypeError {
  return new TypeError(`canonical JSON cannot hold ${Object.prototype.toString.call(value)}`);
}

function quoted(text: string): string {
  if (!text.isWellFormed()) throw new TypeError('canonical JSON refuses lone surrogates');
  return JSON.stringify(text);
}

function array(values: readonly unknown[]): string {
  return `[${values.map((value) => canonicalJson(value)).join(',')}]`;
}

function object(value: Record<string, unknown>): string {
  const members: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member !== undefined) members.push(`${quoted(key)}:${canonicalJson(member)}`);
  }
  return `{${members.join(',')}}`;
}
