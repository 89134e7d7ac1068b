import type { ActionAnswer, NotificationAnswer } from '@assurance/contracts/notifications/answers/notification';
import { FLOW_TRIGGERS } from '@assurance/contracts/notifications/events';
import { eventually } from './support/eventually';
import { ledger, NOTIFICATIONS, payloads, test, webhook } from './support/notifying';
import { Receiver } from './support/receiver';
import { artifact, digest, environment, flow, flowForm, fresh, post } from './support/samples';
import { onEveryDeployment } from './support/world';

const ACTIONS = '/actions/acme';
const FLOWS = `${ACTIONS}/flows`;

let receiver: Receiver;
beforeAll(async () => (receiver = await Receiver.start()));
afterAll(() => receiver.stop());

onEveryDeployment((world) => {
  const member = () => world().as('member');
  const put = (json: object, status = 201) => member().expect(status, 'PUT', FLOWS, { json });
  const list = () => member().get<ActionAnswer[]>(ACTIONS);

  /** Makes one of all triggers, unless others are given. */
  async function create(fields: Readonly<Record<string, unknown>>): Promise<ActionAnswer> {
    const json = { name: fresh('trails'), flows: [], triggers: FLOW_TRIGGERS, targets: [], ...fields };
    expect(await put(json)).toBe('OK');
    const result = (await list()).find(({ name }) => name === json.name);
    if (result === undefined) throw new Error('it is not listed');
    return result;
  }
  const typesAt = (path: string) => receiver.at(path).map(({ body }) => (JSON.parse(body) as Payload).event_type);
  const begin = (flowName: string, name: string) =>
    member().expect(201, 'PUT', `/trails/acme/${flowName}`, { form: flowForm({ name }) });
  const attest = (flowName: string, trail: string, data: object = {}) => {
    const form = new FormData();
    form.append('data_json', JSON.stringify({ attestation_name: 'scan', is_compliant: true, ...data }));
    return member().expect(201, 'POST', `/attestations/acme/${flowName}/trail/${trail}/generic`, { form });
  };

  describe('notifications of flows', () => {
    it('are created, listed with the others, read and deleted', async () => {
      const shop = await flow(member());
      const created = await create({ flows: [shop, shop], triggers: ['ON_ATTESTATION', 'ON_ATTESTATION'] });
      expect(created).toEqual({
        name: created.name,
        type: 'flow',
        number: created.number,
        environments: null,
        flows: [shop],
        triggers: ['ON_ATTESTATION'],
        targets: [],
        created_by: 'ci-member',
        is_created_from_slack_app: false,
        is_failing: false,
        created_at: created.created_at,
        last_modified_at: created.created_at,
      });
      expect(await member().get(`${ACTIONS}/${created.number}`)).toEqual(created);
      const env = await environment(member());
      const json = { name: fresh('alert'), environments: [env], triggers: [], targets: [] };
      await member().expect(201, 'PUT', `${ACTIONS}/environments`, { json });
      const alert = (await list()).find(({ name }) => name === json.name);
      expect(alert).toMatchObject({ type: 'env', environments: [env], flows: null });
      await member().expect(200, 'DELETE', `${ACTIONS}/${created.number}`);
      await member().refused(404, 'GET', `${ACTIONS}/${created.number}`);
    });

    it('are updated by their name; the same again changes nothing', async () => {
      const [shop, other] = [await flow(member()), await flow(member())];
      const created = await create({ flows: [shop] });
      const again = { name: created.name, triggers: FLOW_TRIGGERS, targets: [] };
      await put(again, 200);
      await put({ ...again, flows: [shop], type: 'flow' }, 200);
      expect(await member().get(`${ACTIONS}/${created.number}`)).toEqual(created);
      await put({ ...again, flows: [other] }, 200);
      expect(await member().get(`${ACTIONS}/${created.number}`)).toMatchObject({ flows: [other] });
    });

    it('are none of the notifications of environments', async () => {
      const created = await create({});
      const message = { message: 'Action not found' };
      const at = `${NOTIFICATIONS}/${created.number}`;
      expect((await member().get<NotificationAnswer[]>(NOTIFICATIONS)).map(({ number }) => number)).not.toContain(
        created.number,
      );
      expect(await member().refused(404, 'GET', at)).toEqual(message);
      expect(await member().refused(404, 'PUT', at, { json: { targets: [] } })).toEqual(message);
      expect(await member().refused(404, 'DELETE', at)).toEqual(message);
      const json = { name: created.name, triggers: [], targets: [] };
      const conflict = { name: `This is the name of another notification already [input: ${created.name}]` };
      expect((await member().refused(400, 'PUT', NOTIFICATIONS, { json })).errors).toEqual(conflict);
      expect(await member().get(`${ACTIONS}/${created.number}`)).toEqual(created);
    });

    it.each([
      [{ flows: ['none-such'] }, { flows: "Flow 'none-such' does not exist" }],
      [
        { triggers: ['ON_STARTED_ARTIFACT'] },
        { 'triggers.0': expect.stringContaining("'ON_STARTED_TRAIL'") as string },
      ],
      [{ triggers: undefined }, { triggers: 'Field required' }],
      [{ type: 'env' }, { type: "Input should be 'flow' [input: env]" }],
      [{ environments: [] }, { environments: 'Unknown property [input: []]' }],
      [{ targets: undefined }, { targets: 'Field required' }],
    ])('refuse %j', async (fields, errors) => {
      const json = { name: fresh('trails'), flows: [], triggers: ['ON_ATTESTATION'], targets: [], ...fields };
      expect((await member().refused(400, 'PUT', FLOWS, { json })).errors).toEqual(errors);
      expect((await list()).map(({ name }) => name)).not.toContain(json.name);
    });

    it('follow flows that are renamed and archived', async () => {
      const shop = await flow(member());
      const { number } = await create({ flows: [shop] });
      const name = fresh('flow');
      await member().expect(200, 'PUT', `/flows/acme/${shop}/rename`, { json: { new_name: name } });
      expect(await member().get(`${ACTIONS}/${number}`)).toMatchObject({ flows: [name] });
      await member().expect(200, 'PUT', `/flows/acme/${name}/archive`);
      await member().refused(404, 'GET', `${ACTIONS}/${number}`);
    });

    it('send exactly the events of each trigger', async () => {
      const [shop, other] = [await flow(member()), await flow(member())];
      const paths = new Map(FLOW_TRIGGERS.map((trigger) => [trigger, `/${fresh('hook')}`]));
      for (const [trigger, path] of paths) {
        await create({ flows: [shop], triggers: [trigger], targets: [webhook(receiver.url(path))] });
      }
      const all = `/${fresh('hook')}`;
      const { number } = await create({ flows: [shop], targets: [webhook(receiver.url(all))] });

      const web = digest(shop);
      const reported = artifact(web, { trail_name: 'build-1' });
      await begin(shop, 'build-1');
      await begin(other, 'build-1');
      await post(member(), shop, reported);
      // Another report of the artifact is no new provenance.
      const changed = { ...reported, build_url: 'https://ci.example.com/2' };
      await member().expect(200, 'POST', `/artifacts/acme/${shop}`, { json: changed });
      await attest(shop, 'build-1', { artifact_fingerprint: web, is_compliant: false });
      // It begins a trail.
      await attest(shop, 'build-2');
      await post(member(), shop, artifact(digest(`${shop} api`), { trail_name: 'build-3' }));

      const expected = {
        ON_STARTED_TRAIL: ['TRAIL_STARTED', 'TRAIL_STARTED', 'TRAIL_STARTED'],
        ON_ATTESTED_PROVENANCE: ['PROVENANCE_ATTESTED', 'PROVENANCE_ATTESTED'],
        ON_ATTESTATION: ['ATTESTATION_REPORTED', 'ATTESTATION_REPORTED'],
        ON_APPROVAL: [],
        ON_RELEASE: [],
      };
      const messages = (await payloads(receiver, all, 7)) as unknown as Payload[];
      for (const [trigger, path] of paths) {
        await eventually(
          () => Promise.resolve(typesAt(path)),
          (some) => some.length >= expected[trigger].length,
        );
        expect([trigger, typesAt(path)]).toEqual([trigger, expected[trigger]]);
      }
      expect(messages.map(({ event_type }) => event_type).sort()).toEqual(Object.values(expected).flat().sort());
      const [attested] = messages.filter(({ artifact: of, attestation }) => attestation !== null && of !== null);
      expect(attested).toMatchObject({
        version: '1.0',
        environment: null,
        event_type: 'ATTESTATION_REPORTED',
        snapshot: null,
        flow: { name: shop },
        trail: { name: 'build-1' },
        artifact: { fingerprint: web, provenance: null },
        attestation: { name: 'scan', type: 'generic', status: 'NON-COMPLIANT' },
      });
      const [provenance] = messages.filter(({ event_type }) => event_type === 'PROVENANCE_ATTESTED');
      expect(provenance).toMatchObject({ artifact: { fingerprint: web, provenance: { flow: shop } } });
      const sent = await eventually(
        () => ledger(member(), number),
        (some) => some.length >= 7 && some.every(({ state }) => state === 'delivered'),
      );
      expect(sent).toHaveLength(7);
      expect(sent.at(-1)).toMatchObject({
        environment: null,
        flow: shop,
        trail: 'build-1',
        snapshot_index: null,
        events: 1,
        event_types: ['TRAIL_STARTED'],
      });
    });

    it('tell what one request caused in one message to people', async () => {
      const shop = await flow(member());
      const path = `/${fresh('slack')}`;
      await create({ flows: [shop], targets: [{ type: 'SLACK', webhook: receiver.url(path) }] });
      await attest(shop, 'build-1');
      const [message] = await payloads(receiver, path, 1);
      expect(message).toMatchObject({ text: `${shop} build-1: trail started, attested` });
      expect(receiver.at(path)).toHaveLength(1);
    });

    it('can be tested', async () => {
      const path = `/${fresh('hook')}`;
      const { number } = await create({ targets: [webhook(receiver.url(path))] });
      await test(member(), number);
      expect(await payloads(receiver, path, 1)).toMatchObject([{ event_type: 'TEST', environment: null }]);
    });

    it('omit events from before they listed the flow', async () => {
      const [shop, path] = [await flow(member()), `/${fresh('hook')}`];
      const created = await create({ targets: [webhook(receiver.url(path))] });
      await begin(shop, 'before');
      const json = {
        name: created.name,
        flows: [shop],
        triggers: FLOW_TRIGGERS,
        targets: [webhook(receiver.url(path))],
      };
      await put(json, 200);
      await begin(shop, 'after');
      expect(await payloads(receiver, path, 1)).toMatchObject([{ trail: { name: 'after' } }]);
      expect(receiver.at(path)).toHaveLength(1);
    });

    it('are changed by administrators and members alone, and read by all', async () => {
      const created = await create({});
      const json = { name: fresh('trails'), flows: [], triggers: [], targets: [] };
      for (const role of ['snapshotter', 'reader'] as const) {
        await world().as(role).refused(403, 'PUT', FLOWS, { json });
        await world().as(role).refused(403, 'DELETE', `${ACTIONS}/${created.number}`);
        expect(await world().as(role).get(`${ACTIONS}/${created.number}`)).toEqual(created);
      }
    });
  });
});

interface Payload {
  readonly event_type: string;
  readonly artifact: object | null;
  readonly attestation: object | null;
}
