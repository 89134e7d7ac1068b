import { createReadStream, readFileSync } from 'node:fs';
import { createPublicKey } from 'node:crypto';
import { VERSION } from '@assurance/kernel';
import type { Subject } from './manifest';
import { type VerificationResult, verifyPackage } from './verify/verify';

/** The exit code of the command. 0: the package matches its signature; 1: something is wrong; 2: the package could not be checked. */
export type ExitCode = 0 | 1 | 2;

const USAGE = `Usage: verify-package FILE [--key KEYS]

Checks an audit package without the service that made it: the digest of every file, the signature,
the recorded events and the checkpoints that hold them.

  --key KEYS   a file with the public keys that you trust: PEM, or what /api/v2/signing-keys answers.
               Without it, the key that signed the package is shown: compare it yourself.

Ends with 0 when all is as it was signed, with 1 when something is wrong, with 2 when it could not be checked.`;

/** The output streams of the command. */
export interface Output {
  readonly writeLine: (line: string) => void;
  readonly err: (line: string) => void;
}

/** Runs `verify-package FILE`. */
export async function verifyCommand(words: readonly string[], { writeLine, err }: Output): Promise<ExitCode> {
  if (words[0] === '--version') {
    writeLine(VERSION);
    return 0;
  }
  const options = readWords(words);
  if (options === null) {
    err(USAGE);
    return 2;
  }
  let result: VerificationResult;
  try {
    const trustedKeys = options.keys === null ? null : keysIn(readFileSync(options.keys, 'utf8'));
    const file = createReadStream(options.file);
    await new Promise<void>((resolve, reject) => file.once('ready', resolve).once('error', reject));
    result = await verifyPackage(file, trustedKeys);
  } catch (fault) {
    err(`It could not be checked: ${(fault as Error).message}`);
    return 2;
  }
  const lines = result.findings.map(({ path, fault }) => `WRONG ${path ?? 'the package'}: ${fault}`);
  for (const line of [...lines, ...summaryOf(result, options.keys !== null)]) writeLine(printable(line));
  return result.findings.length === 0 ? 0 : 1;
}

/** Replaces control characters, because a terminal obeys them and others chose parts of the text. */
function printable(line: string): string {
  return line.replace(/\p{C}/gu, '?');
}

function readWords(words: readonly string[]): { readonly file: string; readonly keys: string | null } | null {
  const [file, option, keys, ...more] = words;
  if (file === undefined || file.startsWith('-') || more.length > 0) return null;
  if (option === undefined) return { file, keys: null };
  return option === '--key' && keys !== undefined ? { file, keys } : null;
}

/** The public keys in a text, each as 32 bytes in base64url. */
function keysIn(text: string): string[] {
  const pems = text.trimStart().startsWith('{')
    ? (JSON.parse(text) as { keys: readonly { public_key: string }[] }).keys.map((key) => key.public_key)
    : (text.match(/-----BEGIN PUBLIC KEY-----[^-]*-----END PUBLIC KEY-----/g) ?? []);
  if (pems.length === 0) throw new Error('there is no public key in the file of keys');
  return pems.map((pem) => createPublicKey(pem).export({ format: 'jwk' }).x ?? '');
}

function summaryOf({ findings, manifest, key, checkpointKeys }: VerificationResult, trusted: boolean): string[] {
  if (manifest === null) return ['It is no audit package that could be read.'];
  const { what, when, by_whom: by, service, files, chains, dropped = [], silent = [], sboms = [], vex } = manifest;
  const open = chains.filter(({ checkpoint }) => checkpoint === null);
  return [
    `Audit package of ${nameOf(what)}, as of ${when} by ${by.name}, made by ${service.url}`,
    `${files.length} files, ${chains.length} chains of events: ${chains.map((chain) => `${chain.stream} ${chain.from} to ${chain.to}`).join(', ')}`,
    ...dropped.map(
      (droppedFromPackage) =>
        `Dropped by retention: ${droppedFromPackage.what} of attestation ${droppedFromPackage.attestation}, older than ${droppedFromPackage.older_than_days} days (event ${droppedFromPackage.event})`,
    ),
    ...silent.map(({ name, type, says }) => `Attestation ${name} (${type}): ${says}`),
    ...sboms.map(({ name, document, components }) => {
      const count = components === null ? 'components not recorded' : `${components.listed} components`;
      const more = components === null || components.left === 0 ? '' : ` and ${components.left} more, not recorded`;
      return `SBOM ${name} (${document ?? 'dropped by retention'}): ${count}${more}`;
    }),
    ...(vex === undefined
      ? []
      : [`VEX statements (${vex.document}): ${vex.statements}${vex.complete ? '' : ', and some are left out'}`]),
    ...(key === null
      ? []
      : [`Signed with the key ${key}${trusted ? '' : ': compare it with /api/v2/signing-keys of the service'}`]),
    ...checkpointKeys
      .filter((checkpointKey) => checkpointKey !== key)
      .map((checkpointKey) => `A checkpoint is signed with another key: ${checkpointKey}`),
    ...open.map(
      ({ stream }) =>
        `No checkpoint holds the newest commit of ${stream} yet: a package that is made some time later has one`,
    ),
    findings.length === 0 ? 'All is as it was signed.' : `WRONG: ${findings.length} in all.`,
  ];
}

function nameOf(what: Subject): string {
  switch (what.kind) {
    case 'trail':
      return `trail ${what.trail} of flow ${what.flow}`;
    case 'artifact':
      return `artifact ${what.fingerprint} of flow ${what.flow}`;
    case 'attestation':
      return `attestation ${what.attestation} in trail ${what.trail} of flow ${what.flow}`;
  }
}
