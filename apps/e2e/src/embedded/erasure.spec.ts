import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kindOf } from '@assurance/contracts/events/streams';
import type { Outcome } from '@assurance/event-sourcing/operation';
import type { Commit, Engines } from '@assurance/storage-ports';
import { BOOTSTRAP, OTHER_KEY, userKeyOf } from '../support/declared';
import { eventually } from '../support/eventually';
import { Installation } from '../support/installation';
import { deliveries, notification, test as sendTest } from '../support/notifying';
import { inFile } from '../support/operated';
import { artifact, attach, digest, flowForm, item, policyForm, policyYaml, post, report } from '../support/samples';
import { worldOf } from '../support/world';

/** In every name and text of the organization that is erased. */
const MARK = 'zebra';

/** Trails whose commits name the same data outside of them. */
const TWINS = [`${MARK}-twin-1`, `${MARK}-twin-2`];

describe('an organization that is erased', () => {
  const installation = new Installation({ ASSURANCE_SECRET: 'the secret of an installation that erases' });
  let engines: Engines;
  let world: Awaited<ReturnType<typeof worldOf>>;
  let operate: (name: string, ...words: readonly string[]) => Promise<Outcome>;
  let stopping = false;
  const acme = () => world.as('admin');
  const other = () => world.withHeader(`Bearer ${OTHER_KEY}`);

  async function start(): Promise<void> {
    const { url, operator } = await installation.start();
    world = await worldOf({ url });
    operate = async (name, ...words) => {
      const { outcome, error } = await operator.run(name, ...words);
      if (outcome === null) throw new Error(error ?? `${name} did not end`);
      return outcome;
    };
  }

  beforeAll(async () => {
    engines = await installation.open((own) => ({
      feed: own.feed,
      documents: own.documents,
      blobs: own.blobs,
      changes: (own as { changes?: unknown }).changes,
      problems: () => own.problems(),
      close: () => own.close(),
      events: new Proxy(own.events, {
        get(target, name) {
          const method = target[name as keyof typeof target].bind(target) as (...args: never[]) => unknown;
          if (name !== 'removeStream') return method;
          return (...args: readonly string[]) => {
            // It stops, as if the process had been killed, when the first of the two is removed.
            if (stopping && args[0]?.endsWith(`/${TWINS[1]}`)) throw new Error('the process was killed');
            return method(...(args as never[]));
          };
        },
      }),
    }));
    await start();
  }, 90_000);
  afterAll(() => installation.clear());

  /** An organization with most kinds of things. @returns the name of its environment */
  async function work(): Promise<void> {
    const caller = acme();
    const [env, flow] = [`${MARK}-env`, `${MARK}-flow`];
    await caller.expect(201, 'PUT', '/environments/acme', { json: { name: env, type: 'docker', description: MARK } });
    const data = new FormData();
    data.set('data_json', JSON.stringify({ name: flow, description: MARK }));
    await caller.expect(201, 'PUT', '/flows/acme/template_file', { form: data });
    await post(caller, flow, artifact(digest(MARK), { trail_name: `${MARK}-trail`, filename: `${MARK}/web:1` }));
    await report(caller, env, [item({ [`${MARK}/web:1`]: digest(MARK) })]);
    const form = policyForm({ name: `${MARK}-policy` }, policyYaml('  provenance:\n    required: true\n'));
    await caller.expect(201, 'PUT', '/policies/acme', { form });
    await attach(caller, env, `${MARK}-policy`);
    const attested = new FormData();
    attested.set('data_json', JSON.stringify({ attestation_name: `${MARK}-scan`, is_compliant: true }));
    attested.append('attachment_file', new Blob([MARK]), `${MARK}.txt`);
    await caller.expect(201, 'POST', `/attestations/acme/${flow}/trail/${MARK}-trail/generic`, { form: attested });
    for (const name of TWINS) {
      await caller.expect(201, 'PUT', `/trails/acme/${flow}`, { form: flowForm({ name }) });
      const user_data = { text: MARK.repeat(20_000) };
      await caller.expect(200, 'PUT', `/trails/acme/${flow}`, { form: flowForm({ name, user_data }) });
    }
    await caller.expect(200, 'PUT', `/retention/acme/holds/${flow}`, { json: { reason: MARK } });
    const target = { type: 'WEBHOOK', webhook: `http://127.0.0.1:9/${MARK}` };
    const { number } = await notification(caller, { name: MARK, targets: [target] });
    await sendTest(caller, number);
    await eventually(
      () => deliveries(caller, number),
      (page) => page.deliveries.some(({ attempts }) => attempts.length > 0),
    );
    await operate('checkpoint');
  }

  /** Where a text is in the tables of the file. */
  function tablesWith(text: string): string[] {
    return inFile(installation.file, (db) => {
      // One transaction: the service drops tables meanwhile.
      db.exec('BEGIN');
      const tables = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all() as { name: string }[];
      return tables
        .map(({ name }) => name)
        .filter((name) =>
          db
            .prepare(`SELECT * FROM "${name}"`)
            .all()
            .some((row) =>
              Object.values(row).some((value) =>
                (value instanceof Uint8Array ? Buffer.from(value).toString() : String(value)).includes(text),
              ),
            ),
        );
    });
  }

  /** The ids of all that an organization has, and of its commits; not its own, and none of users. */
  function idsOf(commits: readonly Commit[], org: string): string[] {
    const idsIn = (some: readonly Commit[]) => JSON.stringify(some).match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [];
    const isOwn = (commit: Commit) => commit.org === org && kindOf(commit.stream) !== 'organization';
    const others = new Set(idsIn(commits.filter((commit) => !isOwn(commit))));
    return [...new Set(idsIn(commits.filter(isOwn)))].filter((id) => !others.has(id));
  }

  /** The tables with the mark, once they are these: views are built again in the background. */
  const withMark = (expected: string) =>
    eventually(
      async () => {
        await engines.documents.persist();
        return tablesWith(MARK).sort();
      },
      (tables) => tables.join(' ') === expected,
    );

  it('erases what an organization stored, for nobody else, and verifies by the signed record', async () => {
    await work();
    const seen = () => other().expect<string>(200, 'GET', '/environments/other');
    await other().expect(201, 'PUT', '/environments/other', {
      json: { name: 'kept', type: 'docker', description: '' },
    });
    const before = JSON.stringify(await seen());
    const { commits } = await engines.events.scan(null, 1_000);
    const late = commits.find(({ stream }) => kindOf(stream) === 'trail')!;
    const ids = idsOf(commits, late.org);
    expect(ids.length).toBeGreaterThan(20);
    const unknown = await acme().refused(403, 'GET', '/environments/nowhere');

    await expect(operate('erase-organization', 'acme')).rejects.toThrow('--confirm with the same name');
    await expect(operate('erase-organization', 'nowhere', '--confirm', 'nowhere')).rejects.toThrow(
      "There is no organization 'nowhere'",
    );
    const words = ['acme', '--confirm', 'acme'] as const;
    await expect(operate('erase-organization', ...words)).rejects.toThrow('a legal hold is in force');
    const user = world.withHeader(`Bearer ${userKeyOf('member')}`);
    stopping = true;
    await expect(operate('erase-organization', ...words, '--despite-holds')).rejects.toThrow('the process was killed');
    stopping = false;
    expect(tablesWith(MARK)).toContain('commits');
    // The twins shared this content, which was erased with the first twin. That is not a fault.
    expect(await operate('verify')).toMatchObject({
      ok: true,
      summary: expect.stringContaining('That was not ended: run erase-organization again.') as string,
    });
    const done = await operate('erase-organization', ...words);
    expect(done.summary).toContain("Organization 'acme' was erased");
    // A delayed request commits later: no view takes the commit, and another run removes it.
    expect(await engines.events.append(late)).toBe('appended');
    const flow = new FormData();
    flow.set('data_json', JSON.stringify({ name: 'kept', description: '' }));
    await other().expect(201, 'PUT', '/flows/other/template_file', { form: flow });
    await other().expect(200, 'GET', '/flows/other');
    expect(await withMark('commits')).toEqual(['commits']);
    const again = await operate('erase-organization', ...words);
    expect(again.summary).toContain('1 streams with 1 commits and 0 bytes of attachments were removed');
    const nothing = { ok: true, summary: "Organization 'acme' had been erased already." };
    expect(await operate('erase-organization', ...words)).toEqual(nothing);
    expect(await withMark('')).toEqual([]);

    await acme().refused(401, 'GET', '/environments/acme');
    expect(await user.refused(403, 'GET', '/environments/acme')).toEqual(unknown);
    expect(JSON.stringify(await seen())).toBe(before);

    expect([...new Set(ids.flatMap(tablesWith))]).toEqual([]);
    const verified = await operate('verify');
    expect(verified.summary).toMatch(
      /Organization acme was erased by operator at \S+, despite legal holds: \d+ streams, \d+ events\.$/,
    );
    expect(verified.ok).toBe(true);
  }, 60_000);

  it('does not bring it back from the bootstrap file', async () => {
    await installation.stop();
    const changed = BOOTSTRAP.replace('user: user-member, role: member', 'user: user-member, role: admin');
    writeFileSync(join(installation.folder, 'bootstrap.yaml'), changed);
    await start();
    await acme().refused(401, 'GET', '/environments/acme');
    await world.withHeader(`Bearer ${userKeyOf('member')}`).refused(403, 'GET', '/environments/acme');
    const { ok, summary } = await operate('verify');
    expect([ok, summary]).toEqual([true, expect.stringContaining('Organization acme was erased')]);
  }, 60_000);

  it('finds streams that are gone without the record', async () => {
    inFile(installation.file, (db) => db.prepare(`DELETE FROM commits WHERE body LIKE '%"OrganizationErased"%'`).run());
    const { ok, details } = await operate('verify');
    expect(ok).toBe(false);
    expect((details as { first: { fault: string }[] }).first.map(({ fault }) => fault)).toEqual(
      expect.arrayContaining([expect.stringContaining('of which no signed record says so')]),
    );
  });
});
