import { type Aggregate, UnexpectedEvent } from '@assurance/contracts/events/aggregate';
import type { VulnerabilitiesImported, VulnerabilityEvent } from '@assurance/contracts/vulnerabilities/events';
import { accepted, type Decision, noChange } from '@assurance/kernel';

/** How many imports are remembered. A file among them is not imported again. */
const IMPORTS_REMEMBERED = 100;

type Import = VulnerabilitiesImported['data'];

/** The newest imports of an organization, the newest one last. */
interface RememberedImports {
  readonly imports: readonly (Import & {
    /** Integer milliseconds. */
    readonly at: number;
    /** Id of the user or service account. */
    readonly by: string;
  })[];
}

export const vulnerabilities: Aggregate<RememberedImports, VulnerabilityEvent, 'vulnerabilities'> = {
  kind: 'vulnerabilities',
  states: { name: 'vulnerability_imports', indexes: [] },
  schemaVersion: 1,
  unfolded: new Set(['VulnerabilitiesListed', 'VexStatementsListed']),
  evolve(state, event, meta) {
    switch (event.type) {
      case 'VulnerabilityImportBegun':
        return state ?? { imports: [] };
      case 'VulnerabilitiesListed':
      case 'VexStatementsListed':
        if (state === null) throw new UnexpectedEvent(event, meta);
        return state;
      case 'VulnerabilitiesImported': {
        if (state === null) throw new UnexpectedEvent(event, meta);
        const otherImports = state.imports.filter(({ sha256 }) => sha256 !== event.data.sha256);
        return {
          imports: [...otherImports, { ...event.data, at: meta.at, by: meta.actor }].slice(-IMPORTS_REMEMBERED),
        };
      }
    }
  },
};

/** Begins the import of a file. It changes nothing if the file is already imported. */
export function decideBeginImport(
  state: RememberedImports | null,
  file: Pick<Import, 'filename' | 'sha256' | 'size'>,
): Decision<VulnerabilityEvent, never> {
  if (state?.imports.some(({ sha256 }) => sha256 === file.sha256) === true) return noChange;
  return accepted({ type: 'VulnerabilityImportBegun', version: 1, data: file });
}
