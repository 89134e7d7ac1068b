import { canonicalJson, sha256 } from '@assurance/kernel';
import type { EventStore } from '@assurance/storage-ports';
import { lookAlikes, unique } from '../harness';

const LARGE_BYTES = 20 * 1024 * 1024;

export function data(events: () => EventStore): void {
  it('keeps 20 MB under their SHA-256', async () => {
    const [org, text] = [unique('org'), large(LARGE_BYTES)];
    const digest = await events().putData(org, text);
    expect(digest).toBe(sha256(text));
    // Not toBe: a failure would print 20 MB.
    expect((await events().readData(org, digest)) === text).toBe(true);
  }, 60_000);

  it('keeps texts of all sizes around a chunk’s, whatever characters lie on its border', async () => {
    const org = unique('org');
    for (const bytes of [2, 262_143, 262_144, 262_145, 262_146, 524_288, 524_289]) {
      for (const lead of ['', 'x', 'xx']) {
        const text = large(bytes, lead);
        const digest = await events().putData(org, text);
        expect((await events().readData(org, digest)) === text).toBe(true);
      }
    }
  });

  it('takes the same data again, one after the other and at once', async () => {
    const [org, text] = [unique('org'), large(600_000)];
    const digests = await Promise.all(Array.from({ length: 8 }, () => events().putData(org, text)));
    digests.push(await events().putData(org, text));
    expect(new Set(digests)).toEqual(new Set([sha256(text)]));
    expect((await events().readData(org, sha256(text))) === text).toBe(true);
  });

  it('never shows an organization another’s data', async () => {
    const text = canonicalJson({ secret: unique('secret') });
    const [own, ...others] = lookAlikes(unique('org'));
    const digest = await events().putData(own!, text);
    for (const other of others) expect(await events().readData(other, digest)).toBeNull();
    await events().putData(others[0]!, text);
    expect(await events().readData(others[0]!, digest)).toBe(text);
    expect(await events().readData(own!, digest)).toBe(text);
  });

  it('answers null for data that nobody put', async () => {
    expect(await events().readData(unique('org'), sha256(unique('nothing')))).toBeNull();
  });
}

/** A JSON string of about so many bytes, of characters of one, two, three and four bytes. */
function large(bytes: number, lead = ''): string {
  const unit = '\u20ac\u00e9\u{1f600}z9';
  const room = Math.max(0, bytes - 2 - lead.length);
  const whole = unit.repeat(Math.floor(room / Buffer.byteLength(unit)));
  return `"${lead}${whole}${'y'.repeat(room % Buffer.byteLength(unit))}"`;
}
