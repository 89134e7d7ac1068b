import { decideUpdateProvenance } from '@assurance/ingestion-domain';
import type { Due } from '@assurance/ingestion-due';
import { nothing } from '@assurance/kernel';
import type { Environments } from '../environments';
import { readFacts } from '../facts';
import type { Streams } from '../streams';
import { leastKnown, movedOf } from './moved';

/** Who acts where nobody asked. */
const SYSTEM = 'system';

/** Makes the snapshot of an environment in which more is known of what runs there, where that is so. */
export class UpdateProvenanceWork {
  constructor(
    private readonly streams: Streams,
    private readonly environments: Environments,
  ) {}

  /** @throws RefusalError `lost-race` */
  async do(environment: string, { org, fingerprints, correlation }: Due): Promise<void> {
    const { documents } = this.streams.engines;
    const asked = fingerprints === null ? null : new Set(fingerprints);
    await this.environments.run(environment, { org, actor: SYSTEM, correlation }, async (present) => {
      if (present === null) return nothing;
      const running = present.running.filter(({ fingerprint }) => asked === null || asked.has(fingerprint));
      const moved = await movedOf(documents, org, leastKnown(running));
      const changed = running
        .filter(({ fingerprint }) => moved.has(fingerprint))
        .map(({ fingerprint, since }) => ({ fingerprint, since: since.snapshot }));
      const said = await readFacts(documents, present.environment, changed);
      const facts = { ...said, recorded: changed.length === 0 ? null : await this.environments.recorded(present) };
      return decideUpdateProvenance(present, { fingerprints: [...moved.keys()] }, facts);
    });
  }
}
