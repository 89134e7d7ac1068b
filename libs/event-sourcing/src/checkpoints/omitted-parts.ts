import type { OmittedParts } from '@assurance/contracts/access/events';
import { sha256 } from '@assurance/kernel';
import { type CheckpointPart, isErasedPart } from './checkpoint';

const NONE: OmittedParts = { parts: 0, digest: '' };

/** Which parts of checkpoints are left out as erased with which organization: a count, and a digest over their hashes in order. */
export class OmittedPartsTally {
  private readonly byOrganization = new Map<string, OmittedParts>();

  /** Takes the parts of a chunk: chunks come in the order of their checkpoints. */
  count(all: readonly CheckpointPart[]): void {
    for (const part of all) {
      if (!isErasedPart(part)) continue;
      const { parts, digest } = this.of(part.erased);
      this.byOrganization.set(part.erased, { parts: parts + 1, digest: sha256(digest + part.hash) });
    }
  }

  of(organization: string): OmittedParts {
    return this.byOrganization.get(organization) ?? NONE;
  }

  /** Organizations of which something else is said. @param expectedOf null: anything is right */
  findDifferences(expectedOf: (organization: string) => OmittedParts | null | undefined): string[] {
    return [...this.byOrganization].flatMap(([organization, { parts, digest }]) => {
      const omitted = expectedOf(organization);
      return omitted === null || (omitted?.parts === parts && omitted.digest === digest) ? [] : [organization];
    });
  }
}
