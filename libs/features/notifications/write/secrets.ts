import type { SecretRef } from '@assurance/contracts/notifications/events';
import { IDS, type Ids, PORTS, type Ports } from '@assurance/event-sourcing/tokens';
import { SECRET_BOX, type SecretBox } from '@assurance/http';
import { endOf } from '@assurance/kernel';
import { secrets } from '../domain/secret';
import { Inject, Injectable } from '@nestjs/common';

const SHOWN = 4;

/** Stores secret texts of events. A text is stored before the commit that refers to it, and removed after the commit that no longer refers to it. */
@Injectable()
export class Secrets {
  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(SECRET_BOX) private readonly box: SecretBox,
    @Inject(IDS) private readonly ids: Ids,
  ) {}

  async store(org: string, text: string): Promise<SecretRef> {
    const id = this.ids.next();
    const doc = { id, org, sealed: this.box.seal(text, id) };
    await this.ports.documents.collection(secrets).write([{ kind: 'put', id, doc }]);
    // The last characters of a URL without a path could belong to its password.
    return { id, last4: endOf(text.replace(/^(https?:\/\/)[^/?#]*@/i, '$1'), SHOWN) };
  }

  /**
   * The text of a secret; null if it was removed.
   *
   * @throws SecretUnreadable
   */
  async open({ id }: SecretRef): Promise<string | null> {
    const secretDocument = await this.ports.documents.collection(secrets).get(id);
    return secretDocument === null ? null : this.box.open(secretDocument.sealed, id);
  }

  async remove(refs: readonly SecretRef[]): Promise<void> {
    if (refs.length === 0) return;
    await this.ports.documents
      .collection(secrets)
      .write(refs.map(({ id }) => ({ kind: 'remove', id, seq: 1 }) as const));
  }
}
