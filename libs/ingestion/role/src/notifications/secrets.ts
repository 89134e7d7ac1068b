import type { SecretRef } from '@assurance/contracts-events';
import type { SecretBox } from '@assurance/http';
import { endOf } from '@assurance/kernel';
import { secrets } from '@assurance/model';
import type { Documents } from '@assurance/storage-ports';

const SHOWN = 4;

/**
 * Secret texts that events refer to. A text is stored before the commit that refers to it, and removed after the commit that stops
 * referring to it.
 */
export class Secrets {
  constructor(
    private readonly documents: Documents,
    private readonly box: SecretBox,
    private readonly newId: () => string,
  ) {}

  async keep(org: string, text: string): Promise<SecretRef> {
    const id = this.newId();
    const doc = { id, org, sealed: this.box.seal(text, id) };
    await this.documents.collection(secrets).write([{ kind: 'put', id, doc }]);
    return { id, last4: endOf(text, SHOWN) };
  }

  /**
   * The text of a secret, null when it is gone.
   *
   * @throws SecretUnreadable
   */
  async open({ id }: SecretRef): Promise<string | null> {
    const found = await this.documents.collection(secrets).get(id);
    return found === null ? null : this.box.open(found.sealed, id);
  }

  async forget(refs: readonly SecretRef[]): Promise<void> {
    if (refs.length === 0) return;
    await this.documents.collection(secrets).write(refs.map(({ id }) => ({ kind: 'remove', id, seq: 1 }) as const));
  }
}
