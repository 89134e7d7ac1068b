import { CONTROL, TYPE } from './evidence.ts';
import { find, form, callApi, type Service } from './requests.ts';
import { AGENT } from './shop.ts';

const HEAD = '_schema: https://assurance.example.com/schemas/policy/v1\nartifacts:\n  provenance: { required: true }\n';
const TRAILS = '  trail-compliance: { required: true }\n';
const REVIEWS = `  attestations:
    - type: pull_request
    - { if: '\${{ flow.name == "demo-web" }}', type: decision, for_control: ${CONTROL.identifier} }
`;

interface Policy {
  readonly name: string;
  readonly description: string;
  readonly versions: readonly (readonly [comment: string, text: string])[];
  readonly environments: readonly string[];
}

/** Policies with the texts of their versions, oldest first, and the environments in which each is in force. */
const POLICIES: readonly Policy[] = [
  {
    name: 'demo-known',
    description: 'What runs was built by a pipeline',
    versions: [['Where it comes from', HEAD]],
    environments: ['demo-staging'],
  },
  {
    name: 'demo-release',
    description: 'What customers may meet',
    versions: [
      ['First rules', `${HEAD}${TRAILS}`],
      ['Reviews as well', `${HEAD}${TRAILS}${REVIEWS}`],
    ],
    environments: ['demo-production', 'demo-functions'],
  },
];

const NOTIFICATIONS = '/organizations/{org}/environments_notifications';
const ALARM = {
  name: 'demo-alarms',
  triggers: ['ON_NON_COMPLIANT_ENV', 'ON_COMPLIANT_ENV'],
  environments: ['demo-production'],
  // No mail server delivers to `invalid`.
  targets: [{ type: 'EMAIL', emails: 'ops@shop.invalid' }],
};

/** Whether a notification covers the environment. */
export const isWatched = (environment: string) => ALARM.environments.includes(environment);

/** The control and the type that evidence refers to. */
export async function define(api: Service): Promise<void> {
  if ((await find(api, `/controls/{org}/${CONTROL.identifier}`)) === null) {
    await callApi(api, 'POST', '/controls/{org}', CONTROL);
    await callApi(api, 'PUT', `/controls/{org}/${CONTROL.identifier}`, {
      links: { handbook: 'https://wiki.example.com/review' },
    });
  }
  if ((await find(api, `/custom-attestation-types/{org}/${TYPE.name}`)) === null) {
    await callApi(api, 'POST', '/custom-attestation-types/{org}', form(TYPE));
  }
}

/** Creates policies, allow-list entries and notifications. */
export async function govern(api: Service): Promise<void> {
  for (const { name, description, versions, environments } of POLICIES) {
    const versionCount = (await find<{ versions: unknown[] }>(api, `/policies/{org}/${name}`))?.versions.length ?? 0;
    for (const [comment, text] of versions.slice(versionCount)) {
      await callApi(
        api,
        'PUT',
        '/policies/{org}',
        form(
          { name, description, comment, type: 'env' },
          { field: 'payload', file: ['policy_file', 'policy.yml', text] },
        ),
      );
    }
    for (const environment of environments) {
      await callApi(api, 'POST', `/environments/{org}/${environment}/policies`, { policy_names: [name] });
    }
  }
  await callApi(api, 'PUT', '/allowlists/{org}/demo-functions', {
    artifact_fingerprint: AGENT.fingerprint,
    artifact_name: AGENT.name,
    description: 'Built by its vendor',
  });
  await callApi(api, 'PUT', NOTIFICATIONS, ALARM);
}
