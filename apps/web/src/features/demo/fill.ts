import { api, send } from '../../api/client';
import { ApiError } from '../../api/error';
import { type Build, buildsOf, ENVIRONMENTS, NAMES, type Sight, sightsOf } from './story';

const DAY = 86_400;

const POLICY = `_schema: https://example.com/schemas/policy/v1
artifacts:
  provenance: { required: true }
  attestations:
    - { name: tests, type: junit }
`;

/** A multipart form with JSON and an optional text file. */
function formOf(field: string, data: object, file?: readonly [field: string, text: string]): FormData {
  const form = new FormData();
  form.set(field, JSON.stringify(data));
  if (file !== undefined) form.set(file[0], new Blob([file[1]], { type: 'text/yaml' }), `${file[0]}.yml`);
  return form;
}

const path = (...parts: readonly string[]) => `/${parts.map(encodeURIComponent).join('/')}`;

/** The last step sets this tag on `production`. A demo without it is not complete. */
export const FINISHED = { demo: 'finished' } as const;

/**
 * Creates an organization of an invented shop with 60 days of history. It uses the routes that pipelines and reporters use. A repeated call continues
 * where the last one stopped.
 *
 * @param done receives the completed part, from 0 to 1
 */
export async function makeDemo(org: string, done: (part: number) => void): Promise<void> {
  const { response } = await api.POST('/organizations', { body: { name: org } });
  const isNew = response.status === 201;
  const { data } = await api.GET('/organizations/{org}', { params: { path: { org } } });
  // The history ends with the last midnight (UTC) before it was begun.
  const until = Math.floor((data?.created_at ?? Date.now() / 1000) / DAY) * DAY;
  const builds = buildsOf(until);
  const sights = sightsOf(builds, until);
  const steps = [
    ...NAMES.map((service) => () => flow(org, service)),
    ...ENVIRONMENTS.map(
      ([name, description]) =>
        () =>
          environment(org, name, description),
    ),
    () => govern(org),
    ...builds.map((build) => () => report(org, build, isNew)),
    ...sights.map((sight) => () => look(org, sight)),
    () => finish(org),
  ];
  for (const [i, step] of steps.entries()) {
    await step();
    done((i + 1) / steps.length);
  }
}

const flow = (org: string, name: string) =>
  api.PUT('/flows/{org}', {
    params: { path: { org } },
    body: { name, description: `The shop's ${name}`, template: ['artifact'] },
  });

const environment = (org: string, name: string, description: string) =>
  api.PUT('/environments/{org}', { params: { path: { org } }, body: { name, description, type: 'docker' } });

/** Adds a policy: production requires provenance and tests. */
async function govern(org: string): Promise<void> {
  const data = { name: 'tested', description: 'What runs was built here, and its tests passed' };
  await send(path('policies', org), { method: 'PUT', body: formOf('payload', data, ['policy_file', POLICY]) });
  const params = { path: { org, env: 'production' } };
  await api.POST('/environments/{org}/{env}/policies', { params, body: { policy_names: [data.name] } });
}

/** Sends the reports of a version's pipeline: the artifact and its tests. */
async function report(org: string, build: Build, isNew: boolean): Promise<void> {
  const { service, name, fingerprint, commit, committed, message, author, trail, failures } = build;
  const repo = { name: `shop/${service}`, url: `https://github.com/example/${service}`, provider: 'github' };
  const git_commit_info = {
    sha1: commit,
    message,
    author,
    branch: 'main',
    timestamp: committed,
    url: `${repo.url}/commit/${commit}`,
  };
  await api.POST('/artifacts/{org}/{flow}', {
    params: { path: { org, flow: service } },
    body: {
      fingerprint,
      filename: name,
      git_commit: commit,
      git_commit_info,
      repo_info: repo,
      trail_name: trail,
      template_reference_name: 'artifact',
      build_url: `https://ci.example.com/${service}/${trail}`,
      commit_url: git_commit_info.url,
    },
  });
  if (!isNew && (await isTested(org, service, trail))) return;
  const suite = { name: 'unit', total: 120, failures, errors: 0, skipped: 1, duration: 9.5 };
  const data = { attestation_name: 'tests', artifact_fingerprint: fingerprint, junit_results: [suite] };
  await send(path('attestations', org, service, 'trail', trail, 'junit'), {
    method: 'POST',
    body: formOf('data_json', data),
  });
}

async function isTested(org: string, flow: string, trail: string): Promise<boolean> {
  const params = { path: { org, flow, trail, name: 'tests' } };
  const { data } = await api.GET('/attestations/{org}/{flow}/trail/{trail}/{name}', { params });
  return (data?.length ?? 0) > 0;
}

/** Sends what a reporter saw, with the time of that moment. A repeated report is refused as too early. */
async function look(org: string, { environment: env, at, running }: Sight): Promise<void> {
  try {
    await api.PUT('/environments/{org}/{env}/report/docker', {
      params: { path: { org, env }, query: { observed_at: at } },
      body: {
        artifacts: running.map(({ build, since }) => ({
          digests: { [build.name]: build.fingerprint },
          creationTimestamp: since,
        })),
      },
    });
  } catch (refused) {
    if (!(refused instanceof ApiError && 'observed_at' in refused.fields)) throw refused;
  }
}

const finish = (org: string) =>
  api.PATCH('/tags/{org}/{resource_type}/{id}', {
    params: { path: { org, resource_type: 'environment', id: 'production' } },
    body: { set_tags: FINISHED },
  });
