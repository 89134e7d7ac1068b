import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const MAKER = pathToFileURL(resolve(__dirname, '../../../../tools/engines/certificates.ts')).href;

/** Paths of PEM files: an authority, and certificate with key of a server on the loopback address and of a client. */
export type Certificates = Readonly<Record<'ca' | 'server' | 'client', string>>;

/** Makes certificates of an authority of the folder's own. */
export function makeCertificates(folder: string): Certificates {
  mkdirSync(folder, { recursive: true });
  const script = `import { certificates } from ${JSON.stringify(MAKER)};
    console.log(JSON.stringify(await certificates(${JSON.stringify(folder)})));`;
  const text = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  return JSON.parse(text) as Certificates;
}
