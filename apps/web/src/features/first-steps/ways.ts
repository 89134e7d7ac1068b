import { shellQuote } from '../../parts/shell-quote.ts';

/** The values that the commands of a way need. */
interface Target {
  /** Base address of the API. */
  readonly api: string;
  readonly org: string;
  /** An API key, or a placeholder until a key is created. */
  readonly key: string;
}

/** Commands of a way, with a title that says what they do. */
interface Lines {
  readonly title: string;
  readonly text: string;
}

const PROVENANCE = `{"fingerprint": "'$FINGERPRINT'", "filename": "web:1.0", "git_commit": "'$COMMIT'",
    "trail_name": "build-1", "template_reference_name": "artifact"}`;
const RUNNING = `{"artifacts": [{"digests": {"web:1.0": "'$FINGERPRINT'"}, "creationTimestamp": '$(date +%s)'}]}`;
const FINGERPRINT = `FINGERPRINT=$(printf 'web 1.0' | { sha256sum 2>/dev/null || shasum -a 256; } | cut -c1-64)`;

const call = (method: string, path: string, body: string) =>
  `curl --fail-with-body -sS -X ${method} "$API/${path}" \\\n  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\\n  -d '${body}'`;

const createEnvironment = call('PUT', 'environments/$ORG', '{"name": "production", "type": "docker"}');
const createFlow = call('PUT', 'flows/$ORG', '{"name": "web", "template": ["artifact"]}');
const reportArtifact = call('POST', 'artifacts/$ORG/web', PROVENANCE);
const reportRunning = call('PUT', 'environments/$ORG/production/report/docker', RUNNING);

/** Requests from a shell. */
function shell({ api, org, key }: Target): readonly Lines[] {
  const head = `export KEY=${shellQuote(key)}\nexport API=${shellQuote(api)} ORG=${shellQuote(encodeURIComponent(org))}\n`;
  return [
    { title: 'Name a place where software runs', text: `${head}\n${createEnvironment}` },
    {
      title: 'Report what a pipeline built, and from what',
      text: `${createFlow}\n\n${FINGERPRINT}\nCOMMIT=$(git rev-parse HEAD)\n${reportArtifact}`,
    },
    { title: 'Report what runs', text: reportRunning },
  ];
}

/** Commands of the published command line for this API. */
function commandLine({ api, org, key }: Target): readonly Lines[] {
  const host = api.replace(/\/api\/v2$/, '');
  return [
    {
      title: 'Name a place where software runs',
      text: `export KOSLI_HOST=${shellQuote(host)}\nexport KOSLI_ORG=${shellQuote(org)} KOSLI_API_TOKEN=${shellQuote(key)}\n\nkosli create environment production --type docker`,
    },
    {
      title: 'Report what a pipeline built, and from what: in its Git repository, an image that a registry has',
      text: `kosli create flow web --use-empty-template\nkosli begin trail build-1 --flow web\nkosli attest artifact web:1.0 --artifact-type docker --name artifact --flow web --trail build-1 \\\n  --commit HEAD --build-url https://ci.example.com/1 --commit-url https://git.example.com/1`,
    },
    { title: 'Report what runs', text: 'kosli snapshot docker production' },
  ];
}

const indent = (text: string, by: number) => text.replace(/^(?=.)/gm, ' '.repeat(by));

/** Requests from a pipeline: those from a shell, with the commit of the pipeline. */
const steps = (commit: string) => [createFlow, FINGERPRINT, `COMMIT=${commit}`, reportArtifact].join('\n');

function githubActions({ api, org }: Target): readonly Lines[] {
  return [
    {
      title: 'Report each build: a file .github/workflows/report.yml',
      text: `on: [push]
jobs:
  report:
    runs-on: ubuntu-latest
    env:
      API: ${api}
      ORG: ${encodeURIComponent(org)}
      # Keep the key as a secret of the repository.
      KEY: \${{ secrets.ASSURANCE_KEY }}
    steps:
      - name: Report the artifact
        run: |
${indent(steps('$GITHUB_SHA'), 10)}
      - name: Report what runs
        run: |
${indent([createEnvironment, FINGERPRINT, reportRunning].join('\n'), 10)}`,
    },
  ];
}

function gitlab({ api, org }: Target): readonly Lines[] {
  return [
    {
      title: 'Report each build: a part of .gitlab-ci.yml',
      text: `report:
  variables:
    API: ${api}
    ORG: ${encodeURIComponent(org)}
  # Keep the key as a masked variable ASSURANCE_KEY of the project.
  script:
    - export KEY=$ASSURANCE_KEY
    - |
${indent(steps('$CI_COMMIT_SHA'), 6)}
    - |
${indent([createEnvironment, reportRunning].join('\n'), 6)}`,
    },
  ];
}

function kubernetes({ api, org, key }: Target): readonly Lines[] {
  const url = api.replace(/\/api\/v2$/, '');
  return [
    {
      title: 'Report what runs in a cluster, from a checkout of this service',
      text: `kubectl create namespace assurance-reporter
kubectl --namespace assurance-reporter create secret generic assurance-reporter --from-literal=key=${shellQuote(key)}
helm install assurance-reporter deploy/helm/reporter --namespace assurance-reporter \\
  --set url=${shellQuote(url)} --set organization=${shellQuote(org)} --set create=true \\
  --set-json 'environments=[{"environment": "cluster", "kind": "K8S"}]'`,
    },
  ];
}

/** The ways to report builds and running software to the service. */
export const WAYS: readonly {
  readonly id: string;
  readonly title: string;
  readonly lines: (target: Target) => readonly Lines[];
}[] = [
  { id: 'curl', title: 'curl', lines: shell },
  { id: 'command-line', title: 'Command line', lines: commandLine },
  { id: 'github', title: 'GitHub Actions', lines: githubActions },
  { id: 'gitlab', title: 'GitLab', lines: gitlab },
  { id: 'kubernetes', title: 'Kubernetes', lines: kubernetes },
];
