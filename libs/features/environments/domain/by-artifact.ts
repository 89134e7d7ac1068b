import type { ArtifactKey } from '@assurance/contracts/environments/events';
import { keyText } from './runs';

/**
 * A map by artifact. It finds the fingerprint first, and compares names only then. A map by `keyText` would make and hash a new text for each look-up,
 * but V8 keeps the hash code of a fingerprint.
 */
export class ArtifactMap<Value> {
  private readonly firstValues = new Map<string, { readonly name: string; value: Value }>();
  /** By `keyText`: artifacts with a fingerprint that was added under another name first. */
  private readonly otherValues = new Map<string, Value>();

  get(key: ArtifactKey): Value | undefined {
    const first = this.firstValues.get(key.fingerprint);
    if (first === undefined) return undefined;
    return first.name === key.name ? first.value : this.otherValues.get(keyText(key));
  }

  set(key: ArtifactKey, value: Value): void {
    const { fingerprint, name } = key;
    const first = this.firstValues.get(fingerprint);
    if (first === undefined) this.firstValues.set(fingerprint, { name, value });
    else if (first.name === name) first.value = value;
    else this.otherValues.set(keyText(key), value);
  }
}
