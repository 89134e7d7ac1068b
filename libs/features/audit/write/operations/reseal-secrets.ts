import { type Operation, OperationRefused, type Outcome, type Progress } from '@assurance/event-sourcing/operation';
import { PORTS, type Ports } from '@assurance/event-sourcing/tokens';
import { SECRET_BOX, type SecretBox } from '@assurance/http';
import { type SecretDocument, secrets } from '@assurance/notifications/domain/secret';
import { pagesBy } from '@assurance/storage-ports';
import { Inject, Injectable } from '@nestjs/common';

const PAGE = 200;

/** `reseal-secrets`: encrypts stored secrets with the present secret of the installation, so that the previous one can be removed. */
@Injectable()
export class ResealSecrets implements Operation {
  readonly name = 'reseal-secrets';
  readonly usage = '';
  readonly summary = 'seals stored secrets under the present ASSURANCE_SECRET, so that the previous one can go';

  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(SECRET_BOX) private readonly box: SecretBox,
  ) {}

  async run(args: readonly string[], report: (progress: Progress) => void, signal: AbortSignal): Promise<Outcome> {
    if (args.length > 0) throw new OperationRefused('reseal-secrets takes no arguments');
    const storedSecrets = this.ports.documents.collection<SecretDocument>(secrets);
    const unreadable: string[] = [];
    let [seen, resealed] = [0, 0];
    for await (const page of pagesBy(storedSecrets, {}, 'id', PAGE)) {
      signal.throwIfAborted();
      for (const { id, doc } of page.filter((document) => this.box.isOutdated(document.doc.sealed))) {
        const resealedText = this.sealedAgain(doc);
        if (resealedText === null) unreadable.push(id);
        // The secret was removed or sealed again meanwhile.
        else
          await storedSecrets.merge([id], (now) =>
            now?.sealed === doc.sealed ? { ...now, sealed: resealedText } : undefined,
          );
        if (resealedText !== null) resealed += 1;
      }
      seen += page.length;
      report({ done: seen, of: null, unit: 'secrets' });
    }
    const doneText = `Encrypted ${resealed} of ${seen} secrets again.`;
    const unreadableText = `${unreadable.length} could not be decrypted: keep ASSURANCE_PREVIOUS_SECRET, or set it to the secret that encrypted them.`;
    const summary = unreadable.length === 0 ? doneText : `${doneText} ${unreadableText}`;
    return { ok: unreadable.length === 0, summary, details: { seen, resealed, unreadable: unreadable.length } };
  }

  private sealedAgain({ id, sealed }: SecretDocument): string | null {
    try {
      return this.box.seal(this.box.open(sealed, id), id);
    } catch {
      return null;
    }
  }
}
