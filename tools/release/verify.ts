// Checks a release: the signature, every checksum, the provenance and the SBOM, and that nothing is a link. Exit code 1 when one byte is another.
//   npm run verify-release -- [FOLDER] [--version VERSION] [--key FILE]
// --version: the release that it has to be; --key: the public key that you trust (PEM), else the one in the folder, which is shown
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { linksIn } from './archive.ts';
import { faultsOf, formFault, originIn, PUBLIC_KEY, sha256 } from './evidence.ts';

const { values, positionals } = parseArgs({
  options: { key: { type: 'string' }, version: { type: 'string' } },
  allowPositionals: true,
});
const [folder = 'dist/release'] = positionals;
const faults = await faultsOfRelease();
for (const fault of faults) console.error(fault);
if (faults.length === 0) {
  const { version, commit } = originIn(folder);
  const key = sha256(readFileSync(join(folder, PUBLIC_KEY)));
  console.log(`Release ${version} of commit ${commit}`);
  console.log(
    values.key === undefined ? `Unchanged since it was signed. Compare the key: SHA-256 ${key}` : 'Unchanged.',
  );
}
process.exitCode = faults.length === 0 ? 0 : 1;

async function faultsOfRelease(): Promise<string[]> {
  const { key, version } = values;
  const keyFault = key === undefined ? null : formFault(key, 'file');
  if (keyFault !== null) return [keyFault];
  const results = faultsOf(folder, key === undefined ? null : readFileSync(key, 'utf8'));
  if (results.length > 0) return results;
  const { version: actual } = originIn(folder);
  if (version !== undefined && version !== actual) return [`it is release ${actual}, not ${version}`];
  for (const name of readdirSync(folder).filter((file) => /\.(tgz|tar\.gz)$/.test(file)))
    results.push(...(await linksIn(join(folder, name))).map((link) => `${name} has a link: ${link}`));
  return results;
}
