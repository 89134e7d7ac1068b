import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** A package as tar unpacks it. */
export interface UnpackedPackage {
  readonly folder: string;
  /** Paths of all files, sorted. */
  readonly paths: readonly string[];
  bytes(path: string): Buffer;
  json<T>(path: string): T;
  /** The one path that matches. */
  one(pattern: RegExp): string;
}

/** Unpacks a package with `tar`, and removes the files afterwards. */
export async function withUnpacked<T>(tgz: Uint8Array, use: (unpacked: UnpackedPackage) => T | Promise<T>): Promise<T> {
  const outside = mkdtempSync(join(tmpdir(), 'assurance-package-'));
  const folder = join(outside, 'inside');
  try {
    writeFileSync(join(outside, 'package.tgz'), tgz);
    execFileSync('mkdir', [folder]);
    execFileSync('tar', ['-xzf', '../package.tgz'], { cwd: folder });
    if (readdirSync(outside).length > 2) throw new Error('something was unpacked outside of the folder');
    const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
    const paths = all.filter((path) => statSync(path).isFile()).map((path) => relative(folder, path));
    const bytes = (path: string) => readFileSync(join(folder, path));
    return await use({
      folder,
      paths: paths.sort(),
      bytes,
      json: <J>(path: string) => JSON.parse(bytes(path).toString()) as J,
      one: (pattern) => {
        const [result, ...more] = paths.filter((path) => pattern.test(path));
        if (result === undefined || more.length > 0)
          throw new Error(`${String(pattern)} is not one of ${paths.join(', ')}`);
        return result;
      },
    });
  } finally {
    rmSync(outside, { recursive: true });
  }
}
