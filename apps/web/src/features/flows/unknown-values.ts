/** The fields of a payload. Payloads come from outside. The functions here read a field whatever its content. */
export type Fields = Readonly<Record<string, unknown>>;

export const recordOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** The objects of a list. */
export const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(recordOf) : []);

export const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
