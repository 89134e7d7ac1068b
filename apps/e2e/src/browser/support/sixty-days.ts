import { type BuiltVersion, sixtyDays } from '../../support/sixty-days';
import type { Shop } from './shop';

const DAY = 86_400;

/** The reported history of an example organization. */
export interface SixtyDays {
  /** Names of environments. */
  readonly production: string;
  readonly staging: string;
  readonly built: readonly BuiltVersion[];
}

/**
 * Tells a service what happened in an organization in the 60 days before today: builds of three services, and what ran in two environments.
 *
 * @param prefix of names, so that stories do not meet
 */
export async function recordSixtyDays({ ask }: Shop, prefix: string, org = 'admin'): Promise<SixtyDays> {
  const begin = Math.floor(Date.now() / 1_000 / DAY) * DAY - 61 * DAY;
  const { built, reports } = sixtyDays(begin, prefix);
  for (const { fingerprint, name, service, sha, committed } of built) {
    if (service === null) continue;
    const flow = `${prefix}-${service}`;
    await ask('PUT', `/flows/${org}`, { name: flow, template: ['artifact'] });
    await ask('POST', `/artifacts/${org}/${flow}`, {
      fingerprint,
      filename: name,
      git_commit: sha,
      trail_name: `build-${sha.slice(0, 8)}`,
      template_reference_name: 'app',
      build_url: 'https://ci.example.com/1',
      repo_info: { url: `https://github.com/${prefix}/${service}`, name: `${prefix}/${service}`, provider: 'github' },
      git_commit_info: {
        sha1: sha,
        message: `Release ${name}`,
        author: `Ada of ${service} <ada@example.com>`,
        branch: 'main',
        timestamp: committed,
        url: `https://github.com/${prefix}/${service}/commit/${sha}`,
      },
    });
  }
  const names = { production: `${prefix}-production`, staging: `${prefix}-staging` };
  for (const [place, all] of Object.entries(reports)) {
    const env = `${prefix}-${place}`;
    await ask('PUT', `/environments/${org}`, { name: env, type: 'docker' });
    for (const { at, runs } of all) {
      const artifacts = [...runs].flatMap(([fingerprint, { name, created }]) =>
        created.map((creationTimestamp) => ({ digests: { [name]: fingerprint }, creationTimestamp })),
      );
      await ask('PUT', `/environments/${org}/${env}/report/docker?observed_at=${at}`, { artifacts });
    }
  }
  return { ...names, built };
}
