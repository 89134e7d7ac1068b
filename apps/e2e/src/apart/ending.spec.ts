import { type Apart, startTwoIngestions } from '../support/apart';
import { worldOf } from '../support/world';
import { artifact, digest, flow } from '../support/samples';

const START_MS = 90_000;
const CALLERS = 24;

describe('an ingestion that ends while callers write', () => {
  let apart: Apart;
  beforeAll(async () => {
    apart = await startTwoIngestions(() => Promise.resolve(), Date.now);
  }, START_MS);
  afterAll(async () => {
    await apart.stop();
    expect(apart.faults).toEqual([]);
  }, START_MS);

  it('leaves none of them without an answer', async () => {
    const caller = (await worldOf(apart)).as('member');
    const flowName = await flow(caller);
    let ended = false;
    const statuses = new Set<number>();
    const write = async (name: string) => {
      for (let i = 0; !ended; i += 1) {
        const json = artifact(digest(`${name} ${i}`));
        statuses.add((await caller.send('POST', `/artifacts/acme/${flowName}`, { json })).status);
      }
    };
    const callers = Array.from({ length: CALLERS }, (_, at) => write(`caller ${at}`));
    await flow(caller);
    await apart.ingestion[1]?.close();
    ended = true;
    await Promise.all(callers);
    expect([...statuses]).toEqual([201]);
  });
});
