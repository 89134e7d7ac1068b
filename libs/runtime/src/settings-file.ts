import { no, ok, type Result } from '@assurance/kernel';
import { isMap, isScalar } from 'yaml';
import { parseYaml } from './yaml-text';

/**
 * Reads a YAML file of settings: names and values, one level deep. Values are taken as written, so that a value of digits stays one.
 *
 * @param variable the setting that names the file, for messages
 */
export function readSettingsFile(
  path: string,
  variable: string,
  readFile: (path: string) => string,
): Result<ReadonlyMap<string, string>, string> {
  const yaml = parseYaml(`${variable} ${path}`, path, readFile, 'failsafe');
  if (!yaml.ok) return yaml;
  const { root, where } = yaml.value;
  const settings = new Map<string, string>();
  if (root === null) return ok(settings);
  if (!isMap(root)) return no(`${variable} ${path} must contain settings, one NAME: value on each line.`);
  for (const { key, value } of root.items) {
    const name = isScalar(key) ? String(key.value) : '';
    if (!isScalar(value)) return no(`${variable} ${path}${where(value ?? key)}: ${name} must be one value.`);
    settings.set(name, String(value.value ?? ''));
  }
  return ok(settings);
}
