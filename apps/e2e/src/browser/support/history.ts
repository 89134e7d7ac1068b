import type { Caller } from '../../support/caller';
import { artifact, flowForm, post, repository } from '../../support/samples';
import { type BuiltVersion, sixtyDays, type Story } from '../../support/sixty-days';

const DAY = 86_400;

/** The services of the story, each with a flow and a repository of its own. */
const SERVICES = ['web', 'api', 'job'];

/** What was reported. */
export interface History {
  readonly story: Story;
  readonly built: (service: string, version: number) => BuiltVersion;
}

/** Tells 60 days of `production` and `staging` that end now, with provenance. @param caller an admin */
export async function recordHistory(caller: Caller): Promise<History> {
  const begin = Math.floor(Date.now() / 1_000 / DAY) * DAY - 60 * DAY;
  const story = sixtyDays(begin, 'shop');
  for (const [name, type] of [
    ['production', 'K8S'],
    ['staging', 'docker'],
  ]) {
    await caller.expect(201, 'PUT', '/environments/acme', { json: { name, type } });
  }
  const repos = new Map(SERVICES.map((service) => [service, repository()]));
  for (const service of SERVICES) {
    const form = flowForm({ name: service, description: '' });
    await caller.expect(201, 'PUT', '/flows/acme/template_file', { form });
  }
  for (const { fingerprint, name, service, sha, committed } of story.built) {
    if (service === null) continue;
    const info = artifact(fingerprint).git_commit_info;
    await post(
      caller,
      service,
      artifact(fingerprint, {
        filename: name,
        git_commit: sha,
        git_commit_info: { ...info, sha1: sha, timestamp: committed },
        repo_info: repos.get(service),
        template_reference_name: 'app',
        trail_name: sha,
      }),
    );
  }
  const replay = async (env: string, kind: 'K8S' | 'docker') => {
    for (const { at, runs } of story.reports[env] ?? []) {
      const artifacts = [...runs].flatMap(([fingerprint, { name, created }]) =>
        created.map((creationTimestamp, i) => ({
          digests: { [name]: fingerprint },
          creationTimestamp,
          ...(kind === 'K8S' ? { podName: `${name}-${i}`, namespace: 'shop', owners: null } : {}),
        })),
      );
      const path = `/environments/acme/${env}/report/${kind}?observed_at=${at}`;
      await caller.expect(200, 'PUT', path, { json: { artifacts } });
    }
  };
  await Promise.all([replay('production', 'K8S'), replay('staging', 'docker')]);
  const built = (service: string, version: number) => {
    const result = story.built.find(({ name }) => name.endsWith(`/${service}:${version}`));
    if (result === undefined) throw new Error(`nobody built ${service}:${version}`);
    return result;
  };
  return { story, built };
}
