import { KUBERNETES } from './manifests';
import { read } from './run';

const PAGE = read('docs/operating/promises.md');
const major = (version: string) => version.split('.')[0];

/** Rows of the page, where a version is that they promise, and how a row says it. */
const VERSIONS: readonly (readonly [
  subject: string,
  file: string,
  pattern: RegExp,
  says: (version: string) => string,
])[] = [
  ['MongoDB', 'tools/engines/requirements.txt', /mongod (\d+\.\d+\.\d+)/, (tested) => `CI tests with ${tested}`],
  ['MongoDB', 'tools/engines/requirements.txt', /mongod (\d+\.\d+\.\d+)/, (tested) => `| ${major(tested)}.0 to `],
  ['MongoDB', 'docker-compose.yml', /image: mongo:(\S+)/, (newest) => ` to ${newest}.0,`],
  ['MongoDB', 'docker-compose.yml', /image: mongo:(\S+)/, (newest) => `\`docker-compose.yml\` starts ${newest}`],
  [
    'Kafka',
    'tools/engines/kafka.pom.xml',
    /kafka_2\.13<\/artifactId>\s+<version>(.+)</,
    (tested) => `CI tests with ${tested}`,
  ],
  ['Kafka', 'docker-compose.yml', /image: apache\/kafka:(\S+)/, (tested) => `CI tests with ${tested}`],
  ['Kafka', 'docker-compose.yml', /image: apache\/kafka:(\S+)/, (tested) => `| ${major(tested)}.x `],
  ['Node', 'tools/release/stage.ts', /engines: \{ node: '>=(\d+\.\d+)' \}/, (least) => `| ${least}`],
  ['Node', 'Dockerfile', /^FROM node:(\d+)-slim$/m, (image) => `later of Node ${image}`],
  [
    'Kubernetes',
    'deploy/helm/assurance/Chart.yaml',
    /^kubeVersion: '>=(\d+\.\d+)\.0-0'$/m,
    (least) => `Kubernetes ${least} and later`,
  ],
  [
    'Kubernetes',
    'deploy/helm/reporter/Chart.yaml',
    /^kubeVersion: '>=(\d+\.\d+)\.0-0'$/m,
    (least) => `Kubernetes ${least} and later`,
  ],
];

describe('the versions that are promised', () => {
  it.each(VERSIONS)('of %s are that of %s by %s', (subject, file, pattern, says) => {
    const [row] = new RegExp(`^\\| ${subject} \\| .+ \\|$`, 'm').exec(PAGE) ?? ['no such row'];
    expect(row).toContain(says(pattern.exec(read(file))?.[1] ?? 'no such version'));
  });

  it('include the Kubernetes that checks the charts', () => {
    expect(PAGE).toContain(`Kubernetes ${KUBERNETES[0]} and later`);
  });

  it('include the Node that runs tests', () => {
    expect(PAGE).toContain(`later of Node ${major(process.versions.node)}`);
  });
});
