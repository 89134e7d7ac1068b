// Checks a release: the signature, every checksum, the provenance and the SBOM. Exit code 1 when one byte is another.
//   npm run verify-release -- [FOLDER] [--key FILE]    --key: the public key that you trust (PEM); else the one in the folder, which is shown
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { faultsOf, PUBLIC_KEY, sha256 } from './evidence.ts';

const { values, positionals } = parseArgs({ options: { key: { type: 'string' } }, allowPositionals: true });
const [folder = 'dist/release'] = positionals;
const faults = faultsOf(folder, values.key === undefined ? null : readFileSync(values.key, 'utf8'));
for (const fault of faults) console.error(fault);
if (faults.length === 0) {
  const key = sha256(readFileSync(join(folder, PUBLIC_KEY)));
  console.log(
    values.key === undefined ? `Unchanged since it was signed. Compare the key: SHA-256 ${key}` : 'Unchanged.',
  );
}
process.exitCode = faults.length === 0 ? 0 : 1;
