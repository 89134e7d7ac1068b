import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { stringify } from 'yaml';
import { type Result, run } from '../../common/command.ts';
import { tell } from '../report.ts';
import { type Manifest, manifestsOf, podsOf } from './manifests.ts';

const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;
const LABEL = /^([A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?)?$/;
const SMALL = ['mode=small', 'publicUrl=https://a.example', 'kafka.brokers=kafka:9093'];

/** Values that pods read. */
const CHANGED = [
  'settings.ASSURANCE_LOG_LEVEL=debug',
  'publicUrl=https://b.example',
  'kafka.prefix=b.',
  'secrets.mongodb.name=other',
  'secrets.environment=other',
  'secrets.certificates=other',
  'secrets.bootstrap.name=other',
  'tls.secret=other',
  'secrets.revision=2026-11-27',
];

interface Schema {
  readonly properties?: object;
  readonly additionalProperties?: boolean;
  readonly allOf?: readonly object[];
}

/**
 * Checks what values of the chart promise: unknown ones are refused at every level, a digest pins the image, labels are valid, OpenShift chooses users,
 * and secrets are files where that is wanted.
 *
 * @param chart its folder
 * @param template renders the chart
 */
export function checkValues(chart: string, template: (args: readonly string[]) => Result): void {
  checkUnknown(chart);
  const render = (...more: readonly string[]) => manifestsIn(template([...SMALL, ...more].flatMap(set)));
  checkPods('the service', (args) => template([...SMALL, 'backup.enabled=true'].flatMap(set).concat(args)));
  const files = render('secrets.asFiles=true', 'backup.enabled=true');
  const shown = stringify(podsOf(files));
  tell(!shown.includes('secretKeyRef') && shown.includes('ASSURANCE_SECRET_FILE'), 'secrets are files', shown);
  const sumOf = (...more: readonly string[]) =>
    render(...more)
      .flatMap(({ spec }) => spec?.template?.metadata?.annotations?.['checksum/configuration'] ?? [])
      .join();
  tell(/^[0-9a-f]{64}$/.test(sumOf()), 'pods have the checksum of their configuration', sumOf());
  tell(sumOf() === sumOf(), 'the checksum stays with the same values');
  const same = CHANGED.filter((value) => sumOf(value) === sumOf());
  tell(same.length === 0, 'the checksum changes with settings and Secrets, without a cluster too', same.join('\n'));
}

/**
 * Checks the same of the reporter's chart: unknown values are refused at every level, a digest pins the image, labels are valid, and OpenShift chooses
 * users. Arguments as of `checkValues`.
 */
export function checkReporterValues(chart: string, template: (args: readonly string[]) => Result): void {
  const everything = ['clusters', 'admission'].flatMap((name) => ['--values', join(chart, 'ci', `${name}.yaml`)]);
  checkUnknown(chart);
  checkPods('the reporter', (args) => template([...everything, ...args]));
}

/** Checks two pods of a chart: a digest pins their images, their labels are valid, and OpenShift, or `user=null`, chooses their users. */
function checkPods(what: string, template: (args: readonly string[]) => Result): void {
  const render = (...values: readonly string[]) => manifestsIn(template(values.flatMap(set)));
  const pinned = render(`image.digest=${DIGEST}`, 'image.tag=1.2.3');
  const images = podsOf(pinned).flatMap(({ containers }) => containers.map(({ image }) => image));
  const all = images.length === 2 && images.every((image) => image === `assurance@${DIGEST}`);
  tell(all, `a digest pins every image of ${what}`, images.join('\n'));
  const long = render(`image.tag=${'v1.2.3-'.repeat(12)}x`);
  const wrong = [...pinned, ...long].flatMap(labelsOf).filter((label) => !LABEL.test(label));
  tell(wrong.length === 0, `labels of ${what} are valid with every tag and digest`, wrong.join('\n'));
  const openShift = manifestsIn(template(['--api-versions', 'security.openshift.io/v1']));
  const users = [render(), openShift, render('user=null')].map(usersOf).join(' ');
  tell(users === '1000,1000 , ,', `OpenShift, or user=null, chooses the users of ${what}`, users);
}

/** Checks that the schema takes no value which it does not name: of objects with branches (`allOf`), each branch says what it takes. */
function checkUnknown(chart: string): void {
  const open: string[] = [];
  JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8'), (name, schema: Schema | null) => {
    const { properties, additionalProperties, allOf } = schema ?? {};
    if (properties !== undefined && additionalProperties !== false && allOf === undefined && name !== 'if')
      open.push(name);
    return schema;
  });
  tell(open.length === 0, `unknown values of ${basename(chart)} are refused at every level`, open.join('\n'));
}

/** Runs the scripts of the chart that need no service: a restored folder is the backup, and is never written over. */
export function checkScripts(chart: string, folder: string): void {
  const [backups, data] = [join(folder, 'backups'), join(folder, 'restored')];
  mkdirSync(join(backups, '20261127T011700Z', 'blobs'), { recursive: true });
  mkdirSync(join(data, 'lost+found'), { recursive: true });
  for (const name of ['assurance.db', 'blobs/a']) writeFileSync(join(backups, '20261127T011700Z', name), name);
  const text = readFileSync(join(chart, 'scripts/restore-folder.sh'), 'utf8');
  const restore = (BACKUP: string) =>
    run('sh', ['-ec', text], {
      env: { PATH: process.env['PATH'], BACKUPS: backups, BACKUP, ASSURANCE_DATA_DIR: data },
    });
  const missing = restore('20261126T011700Z');
  const lists = !missing.ok && missing.out.includes('20261127T011700Z');
  tell(lists, 'restore lists the backups that are there', missing.out);
  const { ok, out } = restore('20261127T011700Z');
  const restored = readdirSync(data, { encoding: 'utf8', recursive: true }).toSorted().join();
  tell(ok && restored === 'assurance.db,blobs,blobs/a,lost+found', 'restore copies', out);
  const again = restore('20261127T011700Z');
  tell(!again.ok && again.out.includes('is not empty'), 'restore writes over nothing', again.out);
}

const set = (value: string): readonly string[] => ['--set', value];

function manifestsIn({ ok, out }: Result): readonly Manifest[] {
  if (!ok) tell(false, 'the chart is rendered', out);
  return manifestsOf(ok ? out : '');
}

/** Whom the pods run as, separated by commas. */
function usersOf(manifests: readonly Manifest[]): string {
  return podsOf(manifests)
    .map(({ securityContext: { runAsUser, fsGroup } }) => runAsUser ?? fsGroup)
    .join();
}

function labelsOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, field]: [string, unknown]) =>
    ['labels', 'matchLabels'].includes(key) && field !== null
      ? Object.values(field as object).map(String)
      : labelsOf(field),
  );
}
