import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { read, root } from '../common/root.ts';
import { settings } from './docs/names.ts';

const UNITS = join(root, 'deploy/systemd');
const SETTINGS = settings(root);

/** Sections of a unit file with all values of each name. */
function unit(file: string): Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> {
  const sections: Record<string, Record<string, string[]>> = {};
  let section = '';
  for (const line of readFileSync(join(UNITS, file), 'utf8').split('\n')) {
    if (/^(#|$)/.test(line)) continue;
    const [, title] = /^\[(\w+)\]$/.exec(line) ?? [];
    const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (title !== undefined) sections[(section = title)] = {};
    else if (name !== '' && section !== '') ((sections[section] ??= {})[name] ??= []).push(value);
    else throw new Error(`${file}: ${line}`);
  }
  return sections;
}

describe('the units of systemd', () => {
  const { Service: service = {} } = unit('assurance.service');
  const { Service: backup = {} } = unit('assurance-backup.service');

  it('are valid for systemd', () => {
    const files = readdirSync(UNITS).map((file) => join(UNITS, file));
    const { error, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...files], {
      encoding: 'utf8',
    });
    // Where systemd is not there, the sections were read above.
    const complaints =
      error === undefined ? `${stdout}${stderr}`.split('\n').filter((line) => line.includes('assurance')) : [];
    expect(complaints).toEqual([]);
    expect(Object.keys(unit('assurance-backup.timer'))).toEqual(['Unit', 'Timer', 'Install']);
  });

  it('run what npm start runs, with settings that the service knows, and start again after a lost storage', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> };
    const [, variable, command] = /^(\S+=\S+) exec (.*)$/.exec(scripts['start'] ?? '') ?? [];
    expect(service['ExecStart']).toEqual([`/usr/bin/env ${command}`]);
    expect(service['Environment']).toContain(variable);
    const names = [...(service['Environment'] ?? []), ...(backup['Environment'] ?? [])].map((one) => one.split('=')[0]);
    expect(['PATH', 'NODE_ENV', variable?.split('=')[0], ...SETTINGS]).toEqual(expect.arrayContaining(names));
    expect(service['Restart']).toEqual(['on-failure']);
  });

  it('let the service write its data and its backups, and nothing else', () => {
    const [, folder] = / backup (\S+) --keep \d+$/.exec(backup['ExecStart']?.[0] ?? '') ?? [];
    expect(service['ReadWritePaths']).toEqual([`-${folder}`]);
    expect(service['ProtectSystem']).toEqual(['strict']);
    expect(service['Environment']).toContain(`ASSURANCE_DATA_DIR=/var/lib/${service['StateDirectory']?.[0]}`);
    expect([backup['User'], backup['WorkingDirectory']]).toEqual([service['User'], service['WorkingDirectory']]);
  });
});

describe('the docker run of the documentation', () => {
  const [, line = ''] = /^docker run (.*)$/m.exec(read('docs/operating/machine.md').replaceAll('\\\n', '')) ?? [];
  const values = (option: string) =>
    [...line.matchAll(new RegExp(`--${option} (\\S+)`, 'g'))].map(([, value = '']) => value);

  it('keeps the data of the image in a volume, publishes its port and sets what it knows', () => {
    const dockerfile = read('Dockerfile');
    const [, volume] = /^VOLUME (\S+)$/m.exec(dockerfile) ?? [];
    const [, port] = /^EXPOSE (\d+)/m.exec(dockerfile) ?? [];
    expect(values('volume').map((one) => one.split(':')[1])).toEqual([volume]);
    expect(values('publish').map((one) => one.split(':').at(-1))).toEqual([port]);
    expect(SETTINGS).toEqual(expect.arrayContaining(values('env').map((one) => one.split('=')[0])));
    const existing = ['detach', 'name', 'restart', 'stop-timeout', 'read-only', 'tmpfs', 'publish', 'volume', 'env'];
    expect(existing).toEqual(expect.arrayContaining([...line.matchAll(/--([a-z-]+)/g)].map(([, name]) => name)));
  });
});
