import type { ArchivedCollection } from '@assurance/event-sourcing/archive/archived-collection';
import type { Counts } from '@assurance/event-sourcing/archive/format';
import { findOrganizationByName } from '@assurance/event-sourcing/archive/referenced-streams';
import { writeArchive, type ArchiveResult } from '@assurance/event-sourcing/archive/write-archive';
import { type Operation, OperationRefused, type Outcome } from '@assurance/event-sourcing/operation';
import type { Role } from '@assurance/http';
import type { Engines } from '@assurance/storage-ports';
import { codeOf, messageOf } from '../error-code';
import { noteBackup } from '../operations/last-backup';
import { sizeOf, writeArchiveFile } from './archive-file';
import { exportWords } from './words';

const USAGE = '[--organization NAME] --to FILE [--with-secrets]';

/** The roles' collections that an archive contains, because they cannot be rebuilt from commits. */
export function archivedCollectionsOf(roles: readonly Role[]): ArchivedCollection[] {
  return roles.flatMap(({ archived = [] }) => archived);
}

/** `export`: writes the store, or one organization, to one file while the service runs. */
export function exportOperation(
  engines: Engines,
  archivedCollections: readonly ArchivedCollection[],
  { now, random }: { readonly now: () => number; readonly random: (bytes: number) => Uint8Array },
): Operation {
  return {
    name: 'export',
    usage: USAGE,
    summary: 'writes all organizations, or one, at this moment to a file that import reads',
    run: async (args, report, signal): Promise<Outcome> => {
      const words = exportWords(args);
      if (words === null) throw new OperationRefused(`export takes ${USAGE}`);
      const { to, secrets } = words;
      if ((await sizeOf(to)) !== null) throw new OperationRefused(`The file ${to} exists: choose another name`);
      const organization = await organizationOf(engines, words.organization);
      const [id, at] = [Buffer.from(random(16)).toString('hex'), now()];
      let result: ArchiveResult = { counts: { commits: 0, data: 0, blobs: 0, documents: 0 }, removed: 0 };
      const tell = (reached: Counts) => report({ done: reached.commits, of: null, unit: 'commits' });
      const archive = writeArchive({
        engines,
        archived: archivedCollections,
        id,
        at,
        organization,
        secrets,
        report: tell,
        signal,
      });
      const content = (async function* () {
        result = yield* archive;
      })();
      const file = await writeArchiveFile(to, id.slice(0, 8), content, signal).catch((fault: unknown) => {
        if (signal.aborted || codeOf(fault) === undefined) throw fault;
        throw new OperationRefused(`The file ${to} cannot be written: ${messageOf(fault)}`);
      });
      if (organization === null) await noteBackup(engines.documents, at);
      const { counts, removed } = result;
      const scope = organization === null ? 'all organizations' : `the organization ${organization.name}`;
      const summary =
        `Exported ${scope} as of ${new Date(at).toISOString()} to ${to}: ${sentenceOf(counts)}; ` +
        `${file.size} bytes, SHA-256 ${file.sha256}.${removed === 0 ? '' : ` Without ${removed} blobs that were removed meanwhile.`}`;
      return { ok: true, summary, details: { id, at, to, ...counts, removed, ...file } };
    },
  };
}

async function organizationOf({ events }: Engines, name: string | null) {
  if (name === null) return null;
  const id = await findOrganizationByName(events, name);
  if (id === null) throw new OperationRefused(`There is no organization ${name}`);
  return { id, name };
}

export function sentenceOf({ commits, data, blobs, documents }: Counts): string {
  return `${commits} commits, ${data} data outside commits, ${blobs} blobs, ${documents} documents`;
}
