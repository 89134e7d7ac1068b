import { randomBytes } from 'node:crypto';
import { provedSignIn } from '@assurance/contracts/access/proved-sign-in';
import { CODEC } from '@assurance/contracts/events/codec';
import { kindOf } from '@assurance/contracts/events/streams';
import { type Changes, changes } from '@assurance/event-sourcing/projection/changes';
import { secretBox } from '@assurance/http';
import type { Commit, Engines } from '@assurance/storage-ports';
import fc from 'fast-check';
import { userKeyOf } from '../support/declared';
import { eventually } from '../support/eventually';
import { Installation, type RunningRoles } from '../support/installation';
import { newMember } from '../support/joining';
import { asSeenByOlderVersion, type Newer, type Unknown } from '../support/older';
import { inFile } from '../support/operated';
import {
  artifact,
  attach,
  digest,
  environment,
  flow,
  fresh,
  item,
  policy,
  post,
  PROVENANCE,
  report,
} from '../support/samples';
import { worldOf } from '../support/world';

const START_MS = 90_000;
const NOTIFICATIONS = '/organizations/acme/environments_notifications';
const HOOK = { type: 'WEBHOOK', webhook: 'https://hooks.example.com/1' };

/** Of the installation. */
const SECRET = 'the secret of an installation with a history';

/** A sign-in at a provider, as a gateway records it: Jest cannot load the library that calls providers. */
async function signIn(url: string): Promise<void> {
  const proof = secretBox([SECRET], randomBytes).seal(String(Date.now()), 'gateway-request');
  const answer = await fetch(`${url}${provedSignIn.path}`, {
    method: provedSignIn.method,
    headers: { authorization: `Bearer ${proof}`, 'content-type': 'application/json' },
    body: JSON.stringify(provedSignIn.body?.example),
  });
  expect(answer.status).toBe(200);
}

/** One commit or more of every kind of stream, and of most types of events. */
async function work(url: string): Promise<void> {
  const world = await worldOf({ url });
  const [admin, member] = [world.as('admin'), world.as('member')];
  const env = await environment(member);
  const flowName = await flow(member);
  const [first, second] = [digest('a'), digest('b')];
  await post(member, flowName, artifact(first, { trail_name: 'build' }));
  await post(member, flowName, { ...artifact(second), trail_name: undefined, template_reference_name: undefined });
  await report(member, env, [item({ web: first })]);
  await report(member, env, [item({ web: second })]);
  await attach(member, env, await policy(member, PROVENANCE));
  await report(member, env, [item({ web: first }), item({ api: second })]);
  const form = new FormData();
  form.set('data_json', JSON.stringify({ attestation_name: 'scan', is_compliant: true }));
  await member.expect(201, 'POST', `/attestations/acme/${flowName}/trail/build/generic`, { form });
  const heldFlow = fresh('flow');
  await member.expect(200, 'PUT', `/flows/acme/${flowName}/rename`, { json: { new_name: heldFlow } });
  await member.expect(200, 'PUT', `/environments/acme/${env}/rename`, { json: { new_name: fresh('env') } });
  await admin.expect(201, 'POST', '/controls/acme', { json: { identifier: 'C1', name: 'First' } });
  const type = new FormData();
  type.set('data_json', JSON.stringify({ name: 'coverage' }));
  await member.expect(201, 'POST', '/custom-attestation-types/acme', { form: type });
  const alert = { type: 'env', environments: [], triggers: ['ON_STARTED_ARTIFACT'] };
  await member.expect(201, 'PUT', NOTIFICATIONS, { json: { name: 'alert', targets: [HOOK], ...alert } });
  const config = { name: 'shared', targets: [HOOK] };
  await member.expect(201, 'PUT', '/organizations/acme/notification_target_configs', { json: config });
  const vulnerabilities = new FormData();
  vulnerabilities.set('data_json', '{}');
  const entry = { id: 'OSV-1', modified: '2024-01-01T00:00:00Z', affected: [] };
  vulnerabilities.set('attachment_file', new Blob([JSON.stringify(entry)]), 'osv.json');
  await admin.expect(201, 'POST', '/vulnerabilities/acme', { form: vulnerabilities });
  await admin.expect(201, 'PUT', '/spaces/acme', { json: { name: 'team' } });
  // With a rule, the sweep of a service would record removals at an unpredictable time.
  await admin.expect(200, 'PUT', `/retention/acme/holds/${heldFlow}`, { json: { reason: 'An audit' } });
  await newMember(world, admin, fresh('guest'), 'reader');
  await signIn(url);
  const robot = { name: 'robot', privilege: 'reader' };
  await admin.expect(201, 'POST', '/service-accounts/acme', { json: robot });
  const reader = world.withHeader(`Bearer ${userKeyOf('reader')}`);
  await reader.expect(200, 'PUT', '/user/acme');
  await reader.expect(201, 'POST', '/organizations', { json: { name: 'leaving' } });
}

async function allCommits({ events }: Engines): Promise<Commit[]> {
  const commits: Commit[] = [];
  for (let after: string | null = null; ;) {
    const page = await events.scan(after, 1_000);
    commits.push(...page.commits);
    if (page.next === null) return commits;
    after = page.next;
  }
}

/** The comparison leaves out how often a document was written, and which generation of a view serves. */
const AGAIN = new Set(['stamp']);
/** Collections whose content depends on when a process wrote it. */
const AT_RUNTIME =
  /due|blob_|named_blobs|storage_|parked|dispatcher|deliver|key_use|activity$|sweep|generations|lease|notified|progress|retention_runs|taken_streams/;

/** All that is folded from commits: aggregate states, inline projections, rows of views. */
function foldAll(file: string): Record<string, unknown> {
  return inFile(file, (db) => {
    const tables = db.prepare(`SELECT name FROM tables WHERE name LIKE 'documents\\_%' ESCAPE '\\'`).all() as {
      name: string;
    }[];
    const newest = new Map<string, number>();
    for (const { name } of tables) {
      const [, of = '', generation = '1'] = /^documents_(.*?)(?:_g(\d+))?$/.exec(name) ?? [];
      if (!AT_RUNTIME.test(of)) newest.set(of, Math.max(Number(generation), newest.get(of) ?? 1));
    }
    const rows = (of: string, generation: number) =>
      db
        .prepare(
          `SELECT id, doc FROM documents_${of}${generation === 1 ? '' : `_g${generation}`} WHERE doc IS NOT NULL ORDER BY id`,
        )
        .all() as { id: string; doc: string }[];
    const factOf = (of: string, text: string) => {
      const doc = JSON.parse(text, (key, value: unknown) => (AGAIN.has(key) ? null : value)) as unknown;
      // It numbers the batches in which streams changed, and nothing says how commits fall into batches.
      return of === changes.name ? Object.keys((doc as Changes).streams).sort() : doc;
    };
    const all = [...newest]
      .sort()
      .map(([of, generation]) => [of, rows(of, generation).map(({ id, doc }) => [id, factOf(of, doc)])] as const);
    // Whether one of which nothing was written is there depends on who looked for something in it.
    return Object.fromEntries(all.filter(([, documents]) => documents.length > 0));
  });
}

const NONE: Newer = new Map();

describe('commits of a newer version of the service', () => {
  const source = new Installation({ ASSURANCE_SECRET: SECRET });
  /** `declared`: so many commits are of the bootstrap file, which each start declares again. */
  let history: {
    readonly commits: readonly Commit[];
    readonly data: ReadonlyMap<string, string>;
    readonly declared: number;
  };
  let expected: Record<string, unknown>;

  beforeAll(async () => {
    const engines = await source.open();
    const aggregates = async () => (await allCommits(engines)).filter(({ stream }) => kindOf(stream) !== 'checkpoint');
    let declared = 0;
    await source.running(async ({ url, operator }) => {
      declared = (await aggregates()).length;
      await work(url);
      const { outcome } = await operator.run('erase-organization', 'leaving', '--confirm', 'leaving');
      expect(outcome).toMatchObject({ ok: true });
    });
    const commits = await aggregates();
    const data = new Map<string, string>();
    for (const { org, events } of commits) {
      for (const { digest: of, data: text } of events) {
        if (text === undefined) data.set(`${org} ${of}`, (await engines.events.readData(org, of)) ?? '');
      }
    }
    history = { commits, data, declared };
    expected = await takeNewer(NONE, 0);
  }, START_MS);
  afterAll(() => source.clear());

  /**
   * Has an older instance take the history in, for which some commits are of a newer one, while they arrive; and then the newer one.
   *
   * @param cut how many commits are there when the older one starts
   * @returns what is folded in the end
   */
  async function takeNewer(newer: Newer, cut: number): Promise<Record<string, unknown>> {
    const installation = new Installation({ ASSURANCE_LOG_LEVEL: 'silent' });
    let seen = newer;
    try {
      const engines = await installation.open((own) => asSeenByOlderVersion(own, () => seen));
      const append = async (commits: readonly Commit[]) => {
        for (const [of, text] of history.data) await engines.events.putData(of.split(' ')[0] ?? '', text);
        for (const commit of commits) expect(await engines.events.append(commit)).toBe('appended');
      };
      await append(history.commits.slice(0, cut));
      if (newer.size > 0) {
        // Where what it starts with is unknown, it does not start.
        const older = await installation.start().catch((error: unknown) => {
          expect(String(error)).toContain('this version of the service does not know');
          return null;
        });
        await append(history.commits.slice(cut));
        if (older !== null) await expectStopped(older);
        await installation.stop();
        seen = NONE;
      } else {
        await append(history.commits.slice(cut));
      }
      const now = await installation.start();
      await eventually(
        () => lag(now),
        (left) => left === 0,
      );
      const { outcome, error } = await now.operator.run('rebuild-heads');
      expect([error, outcome]).toMatchObject([null, { ok: true, details: { repaired: 0 } }]);
      await installation.stop();
      return foldAll(installation.file);
    } finally {
      await installation.clear();
    }
  }

  /** Every consumer of the older instance stops and logs this. */
  async function expectStopped(older: RunningRoles): Promise<void> {
    await eventually(
      async () => (await fetch(`${older.operations.url}/metrics`)).text(),
      (text) => (text.match(/^assurance_feed_paused\{group="[\w-]+"\} 1$/gm) ?? []).length === 3,
    );
    const ready = await fetch(`${older.url}/ready`);
    expect(ready.status).toBe(503);
    expect(await ready.text()).toMatch(/the consumer projection is paused: \S+ holds \w+ v\d/);
  }

  async function lag({ operations }: RunningRoles): Promise<number> {
    const text = await (await fetch(`${operations.url}/metrics`)).text();
    const all = [...text.matchAll(/^assurance_(?:feed_lag_commits|due_marks)\{\w+="\w+"\} (\d+)$/gm)];
    return all.length === 0 ? 1 : all.reduce((sum, [, of]) => sum + Number(of), 0);
  }

  it('are tested in every kind of stream', () => {
    const kinds = new Set(history.commits.map(({ stream }) => kindOf(stream)));
    expect([...kinds].sort()).toEqual(
      Object.keys(CODEC)
        // A service records the vulnerabilities that it finds at an unpredictable time.
        .filter((kind) => kind !== 'checkpoint' && kind !== 'exposure')
        .sort(),
    );
  });

  it('are not folded by an older instance, and the newer one finds all states intact', async () => {
    const places = fc.nat(history.commits.length - 1);
    const cuts = fc.integer({ min: history.declared, max: history.commits.length });
    const unknown = fc.constantFrom<Unknown>('type', 'version');
    const some = fc.array(fc.tuple(places, unknown), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(some, cuts, async (unknownEvents, cut) => {
        const newer = new Map(
          unknownEvents.map(([at, how]) => {
            const { stream, seq } = history.commits[at]!;
            return [`${stream}#${seq}`, how] as const;
          }),
        );
        expect(await takeNewer(newer, cut)).toEqual(expected);
      }),
      { numRuns: 5, endOnFailure: true },
    );
  }, 120_000);
});
