/** Errors of the content of a field, with paths that begin with the field: `template_file.trail.artifacts.0.name`. */
export function errorsBelow(field: string, errors: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).map(([path, text]) => [path === '' ? field : `${field}.${path}`, text] as const),
  );
}
