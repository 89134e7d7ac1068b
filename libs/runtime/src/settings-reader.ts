import type { Result } from '@assurance/kernel';
import { isMap, isScalar } from 'yaml';
import type { ReadSetting } from './variables';
import { parseYaml } from './yaml-text';

const CONFIG_FILE = 'ASSURANCE_CONFIG_FILE';

/** `<NAME>_FILE` names a file that holds a secret, as orchestrators mount them. */
const FILE_SUFFIX = '_FILE';

/** A setting cannot be used. The message is one sentence. */
export class InvalidSetting extends Error {
  override readonly name = 'InvalidSetting';
}

/** A setting as this process uses it. */
export interface EffectiveSetting {
  readonly name: string;
  /** As text; null if it has neither a value nor a default. That of a secret is left out. */
  readonly value: string | null;
  /** `default`, `environment`, or the path of a file. */
  readonly source: string;
}

type ReadFile = (path: string) => string;

/** Reads settings from environment variables and from the configuration file. It remembers which names were read. */
export class SettingsReader {
  private readonly effective = new Map<string, EffectiveSetting>();
  private readonly files = new Set([CONFIG_FILE]);

  /** Path of the configuration file; empty without one. */
  private readonly path: string;
  private readonly values: ReadonlyMap<string, string>;

  /**
   * @param readFile returns a file's text; throws if it cannot read it
   * @throws InvalidSetting if the configuration file cannot be used
   */
  constructor(
    private readonly env: Readonly<Record<string, string | undefined>>,
    private readonly readFile: ReadFile,
  ) {
    this.path = env[CONFIG_FILE] ?? '';
    this.values = this.path === '' ? new Map() : valuesIn(this.path, readFile);
  }

  readonly read: ReadSetting = (name, variable) => {
    const secret = variable.secret === true;
    if (secret) this.files.add(`${name}${FILE_SUFFIX}`);
    const { text, path } = this.readValue(name, secret);
    const where = path === '' ? '' : ` in ${path}`;
    if (text === '') {
      this.effective.set(name, { name, value: textOf(variable.fallback), source: 'default' });
      return variable.fallback;
    }
    this.effective.set(name, { name, value: secret ? HIDDEN : text, source: path || 'environment' });
    const read = variable.read(text);
    if (read.ok) return read.value;
    const description = secret ? `has ${text.length} characters (not shown)` : `is ${JSON.stringify(text)}`;
    throw new InvalidSetting(`${name}${where} ${description}, but ${read.refusal}.`);
  };

  /** All settings that were read, by name. */
  settings(): EffectiveSetting[] {
    return [...this.effective.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** One sentence for each name that is set but was not read as a setting. */
  warnings(): string[] {
    const ownNames = Object.keys(this.env).filter(
      (name) => name.startsWith('ASSURANCE_') && !this.effective.has(name) && !this.files.has(name),
    );
    const otherNames = [...this.values.keys()].filter((name) => !this.effective.has(name));
    return [
      ...ownNames.map((name) => `${name} is not a setting of this version and has no effect.`),
      ...otherNames.map((name) => `${name} in ${this.path} is not a setting of this version and has no effect.`),
    ];
  }

  /** Reads the value of a setting. The text is empty if it has no value. The path is that of the file which has it; empty for the environment. */
  private readValue(name: string, secret: boolean): { readonly text: string; readonly path: string } {
    const file = `${name}${FILE_SUFFIX}`;
    const ownValue = this.env[name] || '';
    const ownFile = secret ? this.env[file] || '' : '';
    if (ownValue !== '' && ownFile !== '')
      throw new InvalidSetting(`${name} and ${file} are both set: set one of them.`);
    if (ownValue !== '') return { text: ownValue, path: '' };
    if (ownFile === '') return { text: this.values.get(name) ?? '', path: this.path };
    try {
      return { text: this.readFile(ownFile).trim(), path: ownFile };
    } catch (fault) {
      throw new InvalidSetting(`${file} names ${ownFile}, which cannot be read: ${(fault as Error).message}.`);
    }
  }
}

const HIDDEN = '(not shown)';

/** A default as text. */
function textOf(fallback: unknown): string | null {
  if (fallback === null || (Array.isArray(fallback) && fallback.length === 0)) return null;
  return String(fallback);
}

/** Reads a YAML file of settings: names and values, one level deep. Values stay texts exactly as written, also numbers. */
function valuesIn(path: string, readFile: ReadFile): Map<string, string> {
  const title = `${CONFIG_FILE} ${path}`;
  const { root, where } = valid(parseYaml(title, path, readFile, 'failsafe'));
  const settings = new Map<string, string>();
  if (root === null) return settings;
  if (!isMap(root)) throw new InvalidSetting(`${title} must contain settings, one NAME: value on each line.`);
  for (const { key, value } of root.items) {
    const name = isScalar(key) ? String(key.value) : '';
    if (!isScalar(value)) throw new InvalidSetting(`${title}${where(value ?? key)}: ${name} must be one value.`);
    settings.set(name, String(value.value ?? ''));
  }
  return settings;
}

/** The value of a result. @throws InvalidSetting */
export function valid<Value>(result: Result<Value, string>): Value {
  if (!result.ok) throw new InvalidSetting(result.refusal);
  return result.value;
}
