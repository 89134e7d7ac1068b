import { FindComponents } from '@assurance/components/read/components';
import {
  CompareComponents,
  ListArtifactComponents,
  ListEnvironmentComponents,
} from '@assurance/components/read/inventories';
import { err, ok } from '@assurance/kernel';
import { ACME } from '@assurance/testing/recorded/acme';
import { ada, atAcme, firstPage } from '../testing/acme';

const ask = atAcme();
const { fingerprint } = ACME;
const unknown = err({ kind: 'environment-unknown', org: 'acme', name: 'nobody' });
// Nothing in the history has a bill of materials.
const unjudged = { total_count: 0, without_sbom: 1, incomplete_sbom: 0, unmatched_components: 0 };

describe('FindComponentsHandler', () => {
  const question = { by: { name: 'log4j' }, version: null, range: null };
  const find = (environment: string | undefined, flow?: string) =>
    ask(new FindComponents({ caller: ada, question, environment, flow, period: null, page: firstPage, query: {} }));

  it('answers no artifact, and how many cannot be judged', async () => {
    expect(await find('production')).toMatchObject(ok({ value: { ...unjudged, artifacts: [] } }));
  });
  it('refuses an unknown environment and an unknown flow', async () => {
    expect(await find('nobody')).toEqual(unknown);
    expect(await find(undefined, 'nobody')).toMatchObject(err({ kind: 'flow-unknown', name: 'nobody' }));
  });
});

describe('ListArtifactComponentsHandler', () => {
  it('lists no component of an artifact that cannot be judged', async () => {
    expect(await ask(new ListArtifactComponents({ caller: ada, fingerprint, page: firstPage }))).toMatchObject(
      ok({ value: { ...unjudged, fingerprint, components: [] } }),
    );
  });
});

describe('ListEnvironmentComponentsHandler', () => {
  const list = (environment: string, at: number | null) =>
    ask(new ListEnvironmentComponents({ caller: ada, environment, at, page: firstPage }));

  it('answers of the newest snapshot, and of that of a time', async () => {
    expect(await list('production', null)).toMatchObject(ok({ value: { snapshot: 2, without_sbom: 0 } }));
    expect(await list('production', 0)).toMatchObject(ok({ value: { snapshot: 0, without_sbom: 0 } }));
  });
  it('refuses an unknown environment', async () => expect(await list('nobody', null)).toEqual(unknown));
});

describe('CompareComponentsHandler', () => {
  const compare = (snappish1: string, snappish2: string) =>
    ask(new CompareComponents({ caller: ada, snappish1, snappish2, page: firstPage }));

  it('compares two snapshots', async () => {
    expect(await compare('production#1', 'production')).toMatchObject(
      ok({
        value: {
          snappish1: { snapshot_id: 'production#1', ...unjudged },
          snappish2: { snapshot_id: 'production#2', ...unjudged, without_sbom: 0 },
          unchanged_count: 0,
        },
      }),
    );
  });
  it('refuses an unknown environment, and what is no snapshot', async () => {
    expect(await compare('production', 'nobody')).toEqual(unknown);
    expect(await compare('production#x', 'production')).toMatchObject(
      err({ kind: 'invalid', errors: { snappish1: expect.any(String) } }),
    );
  });
});
