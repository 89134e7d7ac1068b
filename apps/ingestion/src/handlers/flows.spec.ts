import { name as names } from '@assurance/access/domain/name';
import { holderOf } from '@assurance/access/lookups/named';
import { streams } from '@assurance/contracts/events/streams';
import type { Attest as Attestation } from '@assurance/evidence/domain/attest';
import { Attest } from '@assurance/evidence/write/attest';
import { BeginTrail } from '@assurance/flows/write/begin-trail';
import { ChangeFlow } from '@assurance/flows/write/change-flow';
import { PutFlow } from '@assurance/flows/write/put-flow';
import { ReportArtifact } from '@assurance/flows/write/report-artifact';
import { err, ok } from '@assurance/kernel';
import { record } from '@assurance/testing/recorded/record';
import { atAcme } from '../testing/acme';

const FINGERPRINT = 'a'.repeat(64);
const artifact = {
  fingerprint: FINGERPRINT,
  filename: 'web:1',
  gitCommit: 'c'.repeat(40),
  commit: null,
  commitUrl: null,
  buildUrl: null,
  externalUrls: {},
  annotations: {},
};
const attestation: Omit<Attestation, 'target'> = {
  name: 'tests',
  type: 'generic',
  compliant: true,
  original: null,
  typeVersion: null,
  control: null,
  commit: null,
  originUrl: null,
  attachments: [],
  payload: {},
  userData: {},
  description: null,
  externalUrls: {},
  annotations: {},
};

const acme = atAcme();
const put = (name: string, description?: string) =>
  acme().run(new PutFlow({ caller: acme().ada, input: { name, description } }));
const archive = (name: string) =>
  acme().run(new ChangeFlow({ caller: acme().ada, flow: name, change: { kind: 'archive' } }));
const unknown = (name: string) => err({ kind: 'flow-unknown', org: 'acme', name });

describe('PutFlowHandler', () => {
  it('creates a flow', async () => {
    expect(await put('made')).toEqual({ answer: ok('made'), events: ['NameClaimed', 'FlowCreated'] });
  });

  it('refuses a word of a route, also where a flow had it before it was renamed', async () => {
    const name = 'list_attestations_for_criteria';
    const refusal = err({ kind: 'flow-name-reserved', field: 'name', name });
    expect(await put(name)).toEqual({ answer: refusal, events: [] });
    await put('called-so-before');
    const { engines, ada } = acme();
    const id = await holderOf(engines.documents, ada.org.id, 'flow', 'called-so-before');
    const claimed = { type: 'NameClaimed', version: 1, data: { id: id ?? '' } } as const;
    const by = { org: ada.org.id, actor: ada.actor, at: Date.now() };
    await record(engines, names, streams.name(by.org, 'flow', name).slice('name/'.length), by, [claimed]);
    expect(await put(name)).toEqual({ answer: refusal, events: [] });
  });

  it('records nothing for the same flow again', async () => {
    await put('again', 'same');
    expect(await put('again', 'same')).toEqual({ answer: ok('kept'), events: [] });
  });

  it('revives an archived flow', async () => {
    await put('revived');
    await archive('revived');
    expect(await put('revived')).toEqual({ answer: ok('kept'), events: ['FlowRevived'] });
  });
});

describe('ChangeFlowHandler', () => {
  it('renames a flow and keeps the old name as an alias', async () => {
    await put('before');
    const rename = new ChangeFlow({ caller: acme().ada, flow: 'before', change: { kind: 'rename', name: 'after' } });
    expect(await acme().run(rename)).toEqual({ answer: ok(null), events: ['NameClaimed', 'FlowRenamed'] });
    const tag = new ChangeFlow({
      caller: acme().ada,
      flow: 'before',
      change: { kind: 'tag', tags: { set: { tier: '1' }, remove: [] } },
    });
    expect(await acme().run(tag)).toEqual({ answer: ok(null), events: ['FlowTagged'] });
  });

  it('refuses a name that another flow has', async () => {
    await put('first');
    await put('second');
    const rename = new ChangeFlow({ caller: acme().ada, flow: 'second', change: { kind: 'rename', name: 'first' } });
    expect(await acme().run(rename)).toEqual({ answer: err({ kind: 'name-taken', name: 'first' }), events: [] });
  });

  it('refuses a space that does not exist', async () => {
    await put('homeless');
    const { answer, events } = await acme().run(
      new ChangeFlow({ caller: acme().ada, flow: 'homeless', change: { kind: 'move', space: 'nowhere' } }),
    );
    expect(answer).toMatchObject(err({ kind: 'space-not-there', org: 'acme' }));
    expect(events).toEqual([]);
  });

  it('records nothing when an archived flow is archived again', async () => {
    await put('archived');
    expect(await archive('archived')).toEqual({ answer: ok(null), events: ['FlowArchived'] });
    expect(await archive('archived')).toEqual({ answer: ok(null), events: [] });
  });

  it('refuses an unknown flow', async () => {
    expect(await archive('nobody')).toEqual({ answer: unknown('nobody'), events: [] });
  });
});

describe('BeginTrailHandler', () => {
  const begin = (flow: string, description?: string) =>
    acme().run(new BeginTrail({ caller: acme().ada, flow, input: { name: 'build-1', description }, repo: null }));

  it('begins a trail, updates it, and records nothing for the same again', async () => {
    await put('trails');
    expect(await begin('trails')).toEqual({ answer: ok('made'), events: ['TrailBegun'] });
    expect(await begin('trails', 'nightly')).toEqual({ answer: ok('kept'), events: ['TrailUpdated'] });
    expect(await begin('trails', 'nightly')).toEqual({ answer: ok('kept'), events: [] });
  });

  it('records the repository before the trail', async () => {
    await put('with-repo');
    const repo = { name: 'acme/shop', url: 'https://github.com/acme/shop', provider: 'github' };
    const { events } = await acme().run(
      new BeginTrail({ caller: acme().ada, flow: 'with-repo', input: { name: 'build-1' }, repo }),
    );
    expect(events.slice(-2)).toEqual(['RepoRecorded', 'TrailBegun']);
  });

  it('refuses an unknown flow and an archived one', async () => {
    expect(await begin('nobody')).toEqual({ answer: unknown('nobody'), events: [] });
    await put('closed');
    await archive('closed');
    expect(await begin('closed')).toEqual({ answer: err({ kind: 'flow-archived', name: 'closed' }), events: [] });
  });
});

describe('ReportArtifactHandler', () => {
  const report = (flow: string, trail: string | null) =>
    acme().run(
      new ReportArtifact(acme().ada, flow, { ...artifact, trail, template: trail === null ? null : 'web' }, null),
    );

  it('records an artifact and begins its trail', async () => {
    await put('builds');
    expect(await report('builds', 'build-1')).toEqual({
      answer: ok('made'),
      events: ['TrailBegun', 'ArtifactReported'],
    });
  });

  it('records nothing for the same artifact again, with or without a trail', async () => {
    await put('builds-again');
    for (const trail of ['build-1', null]) {
      expect((await report('builds-again', trail)).answer).toEqual(ok('made'));
      expect(await report('builds-again', trail)).toEqual({ answer: ok('kept'), events: [] });
    }
  });

  it('refuses an unknown flow and an archived one', async () => {
    expect(await report('nobody', 'build-1')).toEqual({ answer: unknown('nobody'), events: [] });
    await put('builds-ended');
    await archive('builds-ended');
    const refusal = err({ kind: 'flow-archived', name: 'builds-ended' });
    expect(await report('builds-ended', 'build-1')).toEqual({ answer: refusal, events: [] });
  });
});

describe('AttestHandler', () => {
  const REPORTED = ['AttestationReported', 'AttestationPayloadKept'];
  const attest = (flow: string, target: Attestation['target'], fields: Partial<Attestation> = {}) =>
    acme().run(new Attest(acme().ada, flow, 'build-1', { ...attestation, ...fields, target }, null));

  it('records an attestation; creates the flow and begins the trail if they do not exist', async () => {
    const { answer, events } = await attest('attested', { kind: 'trail' });
    expect(answer).toEqual(ok(null));
    expect(events).toEqual(['NameClaimed', 'FlowCreated', 'TrailBegun', ...REPORTED]);
  });

  it('records the same attestation again, because every report is evidence', async () => {
    await attest('attested-twice', { kind: 'trail' });
    expect(await attest('attested-twice', { kind: 'trail' })).toEqual({
      answer: ok(null),
      events: REPORTED,
    });
  });

  it('refuses an artifact that the trail does not know', async () => {
    await put('attested-unknown');
    const target = { kind: 'artifact', fingerprint: FINGERPRINT } as const;
    const { answer, events } = await attest('attested-unknown', target);
    expect(answer).toMatchObject(err({ kind: 'attested-artifact-unknown', fingerprint: FINGERPRINT, org: 'acme' }));
    expect(events).toEqual([]);
  });

  it('creates no flow for an artifact of a flow that does not exist', async () => {
    const { answer, events } = await attest('nobody', { kind: 'artifact', fingerprint: FINGERPRINT });
    expect(answer).toMatchObject(err({ kind: 'attested-artifact-unknown', flow: 'nobody' }));
    expect(events).toEqual([]);
  });
});
