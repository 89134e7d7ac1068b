import { createPublicKey } from 'node:crypto';
import { environment } from './support/samples';
import { onOwnServices } from './support/world';

describe('checkpoints of a running service', () => {
  onOwnServices((world) => {
    const verify = async (...words: string[]) => (await world().operator.run('verify', ...words)).outcome;

    it('are signed on request of an operator, and verify compares the store with them', async () => {
      await environment(world().as('member'));
      const { outcome } = await world().operator.run('checkpoint');
      expect(outcome).toMatchObject({ ok: true });
      const first = await verify();
      const whole = { faults: 0, newest: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown };
      expect(first).toMatchObject({ ok: true, details: whole });
      const { newest, checkpoints } = first?.details as { newest: string; checkpoints: number };
      expect(first?.summary).toMatch(new RegExp(` ${checkpoints} checkpoints? agrees?, the newest is ${newest}`));

      await environment(world().as('member'));
      await world().operator.run('checkpoint');
      const second = await verify(newest);
      expect(second).toMatchObject({ ok: true, details: { noted: true } });
      // Every quarter of a minute there is one without a request.
      expect((second?.details as { checkpoints: number }).checkpoints).toBeGreaterThan(checkpoints);
      expect(await verify('a'.repeat(64))).toMatchObject({ ok: false, details: { faults: 1, noted: false } });
      expect((await world().operator.run('verify', 'x')).error).toContain('hash of a checkpoint');
    });

    it('can be checked with the service’s public key', async () => {
      const { body, status } = await world().withHeader(null).send('GET', '/signing-keys');
      const { keys } = body as { keys: { id: string; public_key: string; current: boolean }[] };
      expect([status, keys.length, keys[0]?.current]).toEqual([200, 1, true]);
      const spki = createPublicKey(keys[0]?.public_key ?? '').export({ format: 'der', type: 'spki' });
      expect(spki.subarray(-32).toString('base64url')).toBe(keys[0]?.id);
    });
  });
});
