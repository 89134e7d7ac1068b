/** Whether a client takes an encoding, by its header `Accept-Encoding`. */
export function accepts(accepted: string | string[] | undefined, encoding: string): boolean {
  const given = String(accepted ?? '')
    .toLowerCase()
    .split(',');
  return given
    .map((one) => one.trim().split(/\s*;\s*/))
    .some(([name, weight]) => name === encoding && !/^q=0(\.0*)?$/.test(weight ?? ''));
}
