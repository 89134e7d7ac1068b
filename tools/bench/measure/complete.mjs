/**
 * A figure that did not come out is a fault of the benchmark.
 *
 * @throws Error that names it
 */
export function complete(value, path = 'results') {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${path} is ${value}`);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) complete(inner, `${path}.${name}`);
}
