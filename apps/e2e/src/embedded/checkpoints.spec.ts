import { createPublicKey } from 'node:crypto';
import { environment } from '../support/samples';
import { type Running, startAtTime } from '../support/shapes';
import { worldOf } from '../support/world';

const START_MS = 90_000;

describe('checkpoints of a running service', () => {
  let running: Running;
  beforeAll(async () => {
    running = await startAtTime(() => Date.now());
  }, START_MS);
  afterAll(async () => {
    await running.stop();
    expect(running.faults).toEqual([]);
  }, START_MS);

  const verify = async (...words: string[]) => (await running.operator.run('verify', ...words)).outcome;

  it('are signed when an operator asks, and verify holds the store to them', async () => {
    const world = await worldOf(running);
    await environment(world.as('member'));
    const { outcome } = await running.operator.run('checkpoint');
    expect(outcome).toMatchObject({ ok: true });
    const first = await verify();
    expect(first).toMatchObject({ ok: true, details: { faults: 0, newest: expect.stringMatching(/^[0-9a-f]{64}$/) } });
    const { newest, checkpoints } = first?.details as { newest: string; checkpoints: number };
    expect(first?.summary).toContain(`${checkpoints} checkpoints agree, the newest is ${newest}`);

    await environment(world.as('member'));
    await running.operator.run('checkpoint');
    expect(await verify(newest)).toMatchObject({ ok: true, details: { checkpoints: checkpoints + 1, noted: true } });
    expect(await verify('a'.repeat(64))).toMatchObject({ ok: false, details: { faults: 1, noted: false } });
    expect((await running.operator.run('verify', 'x')).error).toContain('hash of a checkpoint');
  });

  it('are checked with the public key that the service gives to everybody', async () => {
    const world = await worldOf(running);
    const { body, status } = await world.withHeader(null).send('GET', '/signing-keys');
    const { keys } = body as { keys: { id: string; public_key: string; current: boolean }[] };
    expect([status, keys.length, keys[0]?.current]).toEqual([200, 1, true]);
    const spki = createPublicKey(keys[0]?.public_key ?? '').export({ format: 'der', type: 'spki' });
    expect(spki.subarray(-32).toString('base64url')).toBe(keys[0]?.id);
  });
});
