import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { eventually } from '../support/eventually';
import { Place } from '../support/process';

/** Longer than what the test does meanwhile, also on a busy machine. */
const DELAY_MS = 4_000;

/** Asks on a connection of its own. */
async function ask(url: string): Promise<number | string | undefined> {
  try {
    const [answer] = (await once(request(url, { agent: false }).end(), 'response')) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  } catch (fault) {
    return (fault as { readonly code?: string }).code;
  }
}

describe('a service that is asked to stop', () => {
  let place: Place;
  beforeEach(() => (place = new Place()));
  afterEach(() => place.clear());

  it('accepts new connections for the set time, says that it is not ready, and ends with 0', async () => {
    const service = place.start({ ASSURANCE_STOP_DELAY_MS: `${DELAY_MS}` });
    const url = await service.url();
    const stopped = performance.now();
    service.child.kill('SIGTERM');
    await eventually(
      () => ask(`${url}/ready`),
      (status) => status === 503,
    );
    expect(await ask(`${url}/live`)).toBe(200);
    expect(await service.ended).toBe(0);
    expect(performance.now() - stopped).toBeGreaterThanOrEqual(DELAY_MS - 1);
    expect(await ask(`${url}/live`)).toBe('ECONNREFUSED');
  }, 60_000);

  it('ends at once without that setting where nobody has a connection', async () => {
    const service = place.start();
    await service.url();
    const stopped = performance.now();
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(performance.now() - stopped).toBeLessThan(DELAY_MS);
  }, 60_000);
});
