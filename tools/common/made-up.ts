import { createHash } from 'node:crypto';

const hash = (algorithm: 'sha1' | 'sha256', content: string | Uint8Array): string =>
  createHash(algorithm).update(content).digest('hex');

/** The fingerprint of an artifact that nobody built. */
export const fingerprintOf = (name: number | string): string => hash('sha256', String(name));

/** A report of containers, each with the time of its start (epoch seconds). */
export const reportOf = (
  containers: readonly { readonly name: string; readonly fingerprint: string; readonly since: number }[],
) => ({
  artifacts: containers.map(({ name, fingerprint, since }) => ({
    digests: { [name]: fingerprint },
    creationTimestamp: since,
  })),
});

interface Built {
  readonly fingerprint: string;
  readonly filename: string;
  readonly trail: string;
  /** What the commit's SHA-1 is made from, and its time (epoch seconds). */
  readonly commit: string;
  readonly at: number;
}

/** An artifact with its commit, as a pipeline reports it. */
export function artifactOf({ fingerprint, filename, trail, commit, at }: Built) {
  const sha1 = hash('sha1', commit);
  const author = { message: 'Sell tea', author: 'Ada <ada@example.com>', branch: 'main' };
  return {
    fingerprint,
    filename,
    trail_name: trail,
    template_reference_name: 'web',
    git_commit: sha1,
    git_commit_info: { sha1, ...author, timestamp: at },
    repo_info: { name: 'acme/shop', url: 'https://github.com/acme/shop', provider: 'github', id: '4711' },
  };
}
