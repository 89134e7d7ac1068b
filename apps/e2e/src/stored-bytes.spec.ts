import { randomBytes } from 'node:crypto';
import { OTHER_KEY } from './support/declared';
import { eventually } from './support/eventually';
import { digest, environment, flow, flowForm, fresh, item } from './support/samples';
import { onOwnServices } from './support/world';

const EVENTS = 60_000;
const ATTACHMENTS = 5_000;
const PART = 10_000;
/** For so long (milliseconds) an instance may count with what it read before: a second, and one for a slow machine. */
const READ_BEFORE = 2_000;

interface StoredBytes {
  readonly organization: string;
  readonly events: number;
  readonly attachments: number;
}

onOwnServices(
  (world) => {
    const caller = () => world().as('admin');
    const full = (of: string, limit: number) => ({
      message: `The organization has stored the ${limit} bytes of ${of} that it may store. The operator can raise the limit (ASSURANCE_MAX_${of === 'events' ? 'EVENT' : 'ATTACHMENT'}_BYTES_PER_ORGANIZATION)`,
    });
    const stored = async () => {
      const { outcome } = await world().operator.run('stored-bytes');
      const { events } = outcome?.details as { readonly events: readonly StoredBytes[] };
      return events.find(({ organization }) => organization === 'acme') ?? { events: 0, attachments: 0 };
    };
    const attest = (flowName: string, fields: object, content: Uint8Array) => {
      const form = flowForm({ attestation_name: 'scan', ...fields });
      form.set('attachment_file', new Blob([content as never]), 'evidence');
      return caller().send('POST', `/attestations/acme/${flowName}/trail/build-1/generic`, { form });
    };

    it('of attachments are counted once for each content, subtracted when the request is refused, and limited', async () => {
      const flowName = await flow(caller());
      const [content, good] = [randomBytes(2_000), { is_compliant: true }];
      for (let i = 0; i < 2; i += 1) expect((await attest(flowName, good, content)).status).toBe(201);
      expect((await attest(flowName, {}, randomBytes(2_000))).status).toBe(400);
      expect(await eventually(stored, ({ attachments }) => attachments === 2_000)).toMatchObject({
        attachments: 2_000,
      });
      await new Promise((resolve) => setTimeout(resolve, READ_BEFORE));
      const over = await attest(flowName, good, randomBytes(ATTACHMENTS - 1_000));
      expect([over.status, over.body]).toEqual([413, full('attachments', ATTACHMENTS)]);
      expect((await attest(flowName, good, randomBytes(ATTACHMENTS - 2_000))).status).toBe(201);
      const ends = await eventually(
        () => attest(flowName, good, randomBytes(1)),
        ({ status }) => status !== 201,
      );
      expect([ends.status, ends.body]).toEqual([413, full('attachments', ATTACHMENTS)]);
    });

    it('of events are limited: requests that archive still work, as do reads and other organizations', async () => {
      const [flowName, env] = [await flow(caller()), await environment(caller())];
      const trail = () => ({ form: flowForm({ name: fresh('trail'), user_data: 'x'.repeat(PART) }) });
      // Each instance learns within seconds what others stored.
      const refusal = async (path: string, sent: () => object) => {
        const { status, body } = await eventually(
          () => caller().send('PUT', path, sent()),
          (answer) => answer.status >= 400,
        );
        return [status, body];
      };
      const isFull = [413, full('events', EVENTS)];
      expect(await refusal(`/trails/acme/${flowName}`, trail)).toEqual(isFull);
      const usage = await eventually(stored, ({ events }) => events >= EVENTS);
      expect(usage.events).toBeGreaterThanOrEqual(EVENTS);

      const json = { artifacts: [item({ web: digest('web') })] };
      expect(await refusal(`/environments/acme/${env}/report/docker`, () => ({ json }))).toEqual(isFull);
      const another = () => ({ json: { name: fresh('env'), type: 'docker' } });
      expect(await refusal('/environments/acme', another)).toEqual(isFull);
      await caller().get(`/flows/acme/${flowName}`);
      await caller().expect(200, 'PUT', `/flows/acme/${flowName}/archive`, {});
      await caller().expect(200, 'PUT', `/environments/acme/${env}/archive`, {});
      await world().withHeader(`Bearer ${OTHER_KEY}`).expect(201, 'PUT', '/environments/other', another());
    });
  },
  {
    ASSURANCE_MAX_EVENT_BYTES_PER_ORGANIZATION: String(EVENTS),
    ASSURANCE_MAX_ATTACHMENT_BYTES_PER_ORGANIZATION: String(ATTACHMENTS),
  },
);
