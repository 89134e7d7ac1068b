import type { PackagedSbom } from '../manifest';
import { checkSboms } from './sboms';

const [DIGEST, OTHER] = ['a'.repeat(64), 'b'.repeat(64)];
const PATH = 'attestations/00001-bom/files/001-bom.json';
const COUNTS = { listed: 3, left: 1 };
const sbom: PackagedSbom = {
  attestation: 'id',
  name: 'bom',
  artifact: null,
  document: PATH,
  sha256: DIGEST,
  format: 'cyclonedx-1.6',
  tools: [],
  components: COUNTS,
  newest_of_its_name: true,
};
const files = [{ path: PATH, size: 1, sha256: DIGEST }];
const recorded = { sha256: [DIGEST], components: COUNTS };

describe('the bills of materials in a manifest', () => {
  const faults = (fields: Partial<PackagedSbom>, statedSbom: typeof recorded | null = recorded) => {
    const results: string[] = [];
    const commits = new Map(statedSbom === null ? [] : [['id', statedSbom] as const]);
    checkSboms({ sboms: [{ ...sbom, ...fields }], files }, commits, (path, fault) =>
      results.push(`${path ?? ''}: ${fault}`),
    );
    return results;
  };

  it('is held to files and commits', () => {
    expect(faults({})).toEqual([]);
    expect(faults({ document: null })).toEqual([]);
    expect(faults({}, null)).toEqual(['manifest.json: no commit tells of the SBOM of attestation id']);
    expect(faults({ sha256: OTHER })).toEqual([
      'manifest.json: the SBOM of attestation id is not the recorded one',
      `${PATH}: it is not the SBOM that the manifest names`,
    ]);
    expect(faults({ document: 'elsewhere' })).toEqual(['elsewhere: it is not the SBOM that the manifest names']);
    for (const components of [null, { listed: 3, left: 0 }]) {
      expect(faults({ components })).toEqual([
        'manifest.json: the components of attestation id are not counted as they were recorded',
      ]);
    }
  });

  it('is nothing in packages of earlier releases', () => {
    const results: string[] = [];
    checkSboms({ files }, new Map([['id', recorded]]), (_, fault) => results.push(fault));
    expect(results).toEqual([]);
  });
});
