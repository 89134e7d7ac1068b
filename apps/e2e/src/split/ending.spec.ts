import { artifact, digest, flow } from '../support/samples';
import { type SplitServices, startTwoIngestions } from '../support/split';
import { worldOf } from '../support/world';

const START_MS = 90_000;
const CALLERS = 24;

describe('an ingestion that ends while callers write', () => {
  let split: SplitServices;
  beforeAll(async () => {
    split = await startTwoIngestions(() => Promise.resolve(), Date.now);
  }, START_MS);
  afterAll(async () => {
    await split.stop();
    expect(split.faults).toEqual([]);
  }, START_MS);

  it('answers all of them', async () => {
    const caller = (await worldOf(split)).as('member');
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
    await split.ingestion[1]?.close();
    ended = true;
    await Promise.all(callers);
    expect([...statuses]).toEqual([201]);
  });
});
