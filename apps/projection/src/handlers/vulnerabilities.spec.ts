import { err, ok } from '@assurance/kernel';
import { ACME } from '@assurance/testing/recorded/acme';
import { ListArtifactVulnerabilities } from '@assurance/vulnerabilities/read/artifact-vulnerabilities';
import { GetEnvironmentExposure } from '@assurance/vulnerabilities/read/environment-exposure';
import { GetVulnerability, ListVulnerabilities } from '@assurance/vulnerabilities/read/vulnerabilities';
import { ada, atAcme, firstPage } from '../testing/acme';

const ask = atAcme();
// Nothing in the history has a bill of materials.
const unjudged = { total_count: 0, without_sbom: 1, incomplete_sbom: 0, unmatched_components: 0 };

describe('ListVulnerabilitiesHandler', () => {
  const list = (environment?: string) =>
    ask(new ListVulnerabilities({ caller: ada, minSeverity: undefined, environment, page: firstPage }));

  it('lists no vulnerability, and gives the last import and the number of artifacts without a judgement', async () => {
    const last_import = { filename: 'osv.json', vulnerabilities: 1 };
    expect(await list()).toMatchObject(ok({ value: { ...unjudged, last_import, vulnerabilities: [] } }));
    expect(await list('production')).toMatchObject(ok({ value: { ...unjudged, without_sbom: 0 } }));
  });
  it('refuses an unknown environment', async () =>
    expect(await list('nobody')).toEqual(err({ kind: 'environment-unknown', org: 'acme', name: 'nobody' })));
});

describe('GetVulnerabilityHandler', () => {
  it('refuses a name that no entry has', async () => {
    expect(await ask(new GetVulnerability({ caller: ada, id: 'CVE-1', page: firstPage }))).toEqual(
      err({ kind: 'vulnerability-unknown', org: 'acme', id: 'CVE-1' }),
    );
  });
});

describe('ListArtifactVulnerabilitiesHandler', () => {
  const list = (fingerprint: string) =>
    ask(new ListArtifactVulnerabilities({ caller: ada, fingerprint, page: firstPage }));

  it('lists no vulnerability for an artifact without a bill of materials, and marks it as unknown', async () => {
    const { fingerprint } = ACME;
    const value = { fingerprint, ...unjudged, last_import: { filename: 'osv.json' }, vulnerabilities: [] };
    expect(await list(fingerprint)).toMatchObject(ok({ value }));
  });
  it('refuses an artifact that nobody reported and that never ran', async () => {
    const fingerprint = 'a'.repeat(64);
    expect(await list(fingerprint)).toEqual(err({ kind: 'fingerprint-unknown', fingerprint }));
  });
});

describe('GetEnvironmentExposureHandler', () => {
  const days = [{ date: '2026-11-02', from: 0, to: 4_000_000_000 }];
  const exposure = (environment: string) =>
    ask(new GetEnvironmentExposure({ caller: ada, environment, timeZone: 'UTC', days }));
  const severities = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };
  const none = { ...severities, incomplete_sbom: 0, unmatched_components: 0 };

  it('counts artifacts with unknown contents on the days on which they ran', async () => {
    const last_import = { filename: 'osv.json' };
    const now = { ...none, without_sbom: 0 };
    const value = { environment: 'production', last_import, now, days: [{ ...none, without_sbom: 1 }] };
    expect(await exposure('production')).toMatchObject(ok({ value }));
  });
  it('refuses an unknown environment', async () =>
    expect(await exposure('nobody')).toEqual(err({ kind: 'environment-unknown', org: 'acme', name: 'nobody' })));
});
