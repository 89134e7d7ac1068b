import type { LeftOutParts } from '@assurance/contracts/access/events';
import { sha256 } from '@assurance/kernel';
import { type CheckpointPart, isErasedPart } from './checkpoint';

const NONE: LeftOutParts = { parts: 0, digest: '' };

/** Which parts of checkpoints are left out as erased with which organization: a count, and a digest over their hashes in order. */
export class LeftOut {
  private readonly byOrganization = new Map<string, LeftOutParts>();

  /** Takes the parts of a chunk: chunks come in the order of their checkpoints. */
  take(all: readonly CheckpointPart[]): void {
    for (const one of all) {
      if (!isErasedPart(one)) continue;
      const { parts, digest } = this.of(one.erased);
      this.byOrganization.set(one.erased, { parts: parts + 1, digest: sha256(digest + one.hash) });
    }
  }

  of(organization: string): LeftOutParts {
    return this.byOrganization.get(organization) ?? NONE;
  }

  /** Organizations of which something else is said. @param said null: anything is right */
  unlike(said: (organization: string) => LeftOutParts | null | undefined): string[] {
    return [...this.byOrganization].flatMap(([organization, { parts, digest }]) => {
      const known = said(organization);
      return known === null || (known?.parts === parts && known.digest === digest) ? [] : [organization];
    });
  }
}
