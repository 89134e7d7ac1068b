/** Whether a client accepts an encoding, by its header `Accept-Encoding`. */
export function acceptsEncoding(acceptHeader: string | string[] | undefined, encoding: string): boolean {
  const input = String(acceptHeader ?? '')
    .toLowerCase()
    .split(',');
  return input
    .map((entry) => entry.split(';', 2).map((part) => part.trim()))
    .some(([name, weight]) => name === encoding && !/^q=0(\.0*)?$/.test(weight ?? ''));
}
