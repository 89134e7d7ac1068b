import type { OmittedParts } from '@assurance/contracts/access/events';
import { sha256 } from '@assurance/kernel';
import { type CheckpointPart, isErasedPart } from './checkpoint';

const NONE: OmittedParts = { parts: 0, digest: '' };

/** Counts the parts of checkpoints that are left out for each erased organization, and computes a digest of their hashes in order. */
export class OmittedPartsTally {
  private readonly byOrganization = new Map<string, OmittedParts>();

  /** Counts the parts of a chunk. The caller passes chunks in the order of their checkpoints. */
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

  /** Organizations with other omitted parts than expected. @param expectedOf null: any parts are correct */
  findDifferences(expectedOf: (organization: string) => OmittedParts | null | undefined): string[] {
    return [...this.byOrganization].flatMap(([organization, { parts, digest }]) => {
      const omittedParts = expectedOf(organization);
      return omittedParts === null || (omittedParts?.parts === parts && omittedParts.digest === digest)
        ? []
        : [organization];
    });
  }
}
