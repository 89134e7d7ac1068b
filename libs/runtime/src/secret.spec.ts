import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSecret } from './secret';

describe('openSecret', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'assurance-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('creates 256 bits once, readable by the owner only', () => {
    const secret = openSecret(null, folder, randomBytes);
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(openSecret(null, folder, randomBytes)).toBe(secret);
    expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600);
  });

  it('takes the configured one and leaves the folder alone', () => {
    writeFileSync(join(folder, 'secret'), 'kept\n');
    expect(openSecret('given', folder, randomBytes)).toBe('given');
    expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe('kept\n');
  });
});
