import { canonicalJson } from '@assurance/kernel';
import { MANIFEST, type Manifest } from '../manifest';
import type { RecordedSbom } from './commits';
import type { Report } from './finding';

/** Compares the bills of materials in a manifest with the files and the commits. Packages of earlier releases have none. */
export function checkSboms(
  { sboms = [], files }: Pick<Manifest, 'sboms' | 'files'>,
  recordedSboms: ReadonlyMap<string, RecordedSbom>,
  report: Report,
): void {
  const digests = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  for (const { attestation, document, sha256, components } of sboms) {
    const recordedSbom = recordedSboms.get(attestation);
    if (recordedSbom === undefined) {
      report(MANIFEST, `no commit tells of the SBOM of attestation ${attestation}`);
      continue;
    }
    if (!recordedSbom.sha256.includes(sha256))
      report(MANIFEST, `the SBOM of attestation ${attestation} is not the recorded one`);
    if (document !== null && digests.get(document) !== sha256)
      report(document, 'it is not the SBOM that the manifest names');
    if (canonicalJson(components) !== canonicalJson(recordedSbom.components ?? null))
      report(MANIFEST, `the components of attestation ${attestation} are not counted as they were recorded`);
  }
}
