/** Errors of a file that was sent, as those of its field: `template_file.trail.artifacts.0.name`. */
export function fileErrors(field: string, errors: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).map(([path, text]) => [path === '' ? field : `${field}.${path}`, text] as const),
  );
}
