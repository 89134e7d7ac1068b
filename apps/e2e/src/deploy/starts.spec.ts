// What starts the service elsewhere runs what npm start runs. That the settings named there exist, check:docs says.
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { read, ROOT } from './run';

const ROLES = ['gateway', 'ingestion', 'projection', 'notification-dispatcher', 'audit-package'];
const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> };
/** The variable that a script sets, and its command. */
const partsOf = (script: string) => /^(\S+=\S+) exec (.*)$/.exec(scripts[script] ?? '')?.slice(1) as [string, string];
const [VARIABLE, COMMAND] = partsOf('start');
const [image = ''] = read('Dockerfile')
  .split(/^FROM /m)
  .slice(-1);

interface Service {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly depends_on: object;
}

describe('docker-compose.yml', () => {
  const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
    services: Readonly<Record<string, Service>>;
  };

  it.each(ROLES)('starts %s by the command of its script, after healthy engines, with one secret for all', (role) => {
    const { command, environment, depends_on } = services[role] as Service;
    expect(command.join(' ')).toBe(partsOf(`start:${role}`)[1]);
    const healthy = { condition: 'service_healthy' };
    expect(depends_on).toMatchObject({ mongodb: healthy, kafka: healthy });
    expect(services['gateway']?.environment).toMatchObject(environment);
    const names = ['ASSURANCE_SECRET', 'ASSURANCE_PUBLIC_URL', 'MONGODB_URL', 'KAFKA_BROKERS'];
    expect(Object.keys(environment)).toEqual(expect.arrayContaining(names));
  });

  it.each(ROLES.slice(1))('tells the gateway the address of %s', (role) => {
    const variable = `ASSURANCE_${role.toUpperCase().replaceAll('-', '_')}_URL`;
    expect(services['gateway']?.environment[variable]).toBe(`http://${role}:8001`);
  });

  it.each(['mongodb', 'kafka'])('keeps the data of %s in a named volume, and knows when it is healthy', (engine) => {
    const volumes = [expect.stringMatching(`^${engine}:/`)] as unknown;
    expect(services[engine]).toMatchObject({ volumes, healthcheck: { test: expect.anything() as unknown } });
  });
});

describe('the Dockerfile', () => {
  it('runs what npm start runs, as an unprivileged user', () => {
    expect(image).toContain(`\nCMD ${JSON.stringify(COMMAND.split(' ')).replaceAll(',', ', ')}\n`);
    expect(image).toContain(`\nENV ${VARIABLE}\n`);
    expect(image).toContain('\nUSER node\n');
  });

  it('has the volume and the port of the documented docker run', () => {
    const [, line = ''] = /^docker run (.*)$/m.exec(read('docs/operating/machine.md').replaceAll('\\\n', '')) ?? [];
    expect(image).toContain(`\nVOLUME ${/--volume \S+:(\S+)/.exec(line)?.[1]}\n`);
    expect(image).toContain(`\nEXPOSE ${/--publish \S+:(\d+) /.exec(line)?.[1]} `);
  });
});

describe('the units of systemd', () => {
  const service = read('deploy/systemd/assurance.service').split('\n');
  const backup = read('deploy/systemd/assurance-backup.service');

  it('have sections and settings alone, and are valid for systemd where it is installed', () => {
    const files = globSync('deploy/systemd/*', { cwd: ROOT });
    for (const line of files.flatMap((file) => read(file).split('\n'))) expect(line).toMatch(/^(#.*|\[\w+\]|\w+=.*)?$/);
    const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...files], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect(`${stdout}${stderr}`.split('\n').filter((line) => line.includes('assurance'))).toEqual([]);
  });

  it('run what npm start runs, start again after a lost storage, and write data and backups alone', () => {
    const [, folder = ''] = / backup (\S+) --keep \d+\n/.exec(backup) ?? [];
    expect(service).toEqual(
      expect.arrayContaining([
        `ExecStart=/usr/bin/env ${COMMAND}`,
        `Environment=${VARIABLE}`,
        'Restart=on-failure',
        'ProtectSystem=strict',
        'StateDirectory=assurance',
        'Environment=ASSURANCE_DATA_DIR=/var/lib/assurance',
        `ReadWritePaths=-${folder}`,
      ]),
    );
    for (const same of service.filter((line) => /^(User|WorkingDirectory)=/.test(line))) expect(backup).toContain(same);
  });

  it('run operations with the settings of the service, on files of the machine', () => {
    const of = (name: string) => service.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
    const [, command = ''] =
      /^operate\(\) \{\n([^}]*(?:\}[^}]*)*?)\n\}$/m.exec(read('docs/operating/machine.md')) ?? [];
    const folder = '"${RELEASE:-/opt/assurance}"';
    expect(command.replaceAll(' \\\n', ' ').split(/\s+/)).toEqual(
      expect.arrayContaining([
        `--uid=${of('User')}`,
        `--working-directory=${folder.replace('/opt/assurance', of('WorkingDirectory'))}`,
        `--property=EnvironmentFile=${of('EnvironmentFile')}`,
        `--setenv=${service.find((line) => line.includes('ASSURANCE_DATA_DIR'))?.replace('Environment=', '')}`,
      ]),
    );
    // An export to /tmp would end with the service, and a file in /tmp could not be imported.
    expect(service.filter((line) => /^PrivateTmp=(?!no)/.test(line))).toEqual([]);
    expect(service).toContain(`Environment=TMPDIR=/var/cache/${of('CacheDirectory')}`);
  });

  it('copy the metrics of the reporter to the folder of node_exporter, also after a failed look', () => {
    const unit = read('deploy/systemd/assurance-reporter.service');
    const [, script = ''] = /^ExecStopPost=\+-\/bin\/sh -c '(.*)'$/m.exec(unit) ?? [];
    const state = mkdtempSync(join(tmpdir(), 'assurance-state-'));
    const folder = mkdtempSync(join(tmpdir(), 'assurance-textfile-'));
    const copy = () =>
      spawnSync('sh', ['-c', script.replaceAll('%S', state)], { env: { ...process.env, TEXTFILE_FOLDER: folder } });
    expect([copy().status, readdirSync(folder)]).toEqual([0, []]);
    mkdirSync(join(state, 'assurance-reporter'));
    writeFileSync(join(state, 'assurance-reporter', 'reporter.prom'), 'up 1\n', { mode: 0o600 });
    const copied = join(folder, 'assurance-reporter.prom');
    expect([copy().status, readFileSync(copied, 'utf8'), statSync(copied).mode & 0o777]).toEqual([0, 'up 1\n', 0o644]);
    expect(unit).toMatch(/^Environment=TEXTFILE_FOLDER=\//m);
    for (const made of [state, folder]) rmSync(made, { recursive: true });
  });
});
