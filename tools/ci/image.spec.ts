import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { read, root } from '../common/root.ts';
import { settings } from './docs/names.ts';

const ROLES = ['gateway', 'ingestion', 'projection', 'notification-dispatcher', 'audit-package'];
const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> };
/** The variable that a script sets, and its command. */
const partsOf = (script: string) => /^(\S+=\S+) exec (.*)$/.exec(scripts[script] ?? '')?.slice(1) ?? [];
const commandOf = (script: string) => partsOf(script)[1] ?? '';

interface Service {
  readonly image: string;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly healthcheck?: object;
  readonly depends_on?: Readonly<Record<string, object>>;
  readonly user?: string;
}
const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: object;
};

const SETTINGS = settings(root);

describe('docker-compose.yml', () => {
  const own = ROLES.map((role) => [role, compose.services[role]] as const);

  it('runs each role by the command of its script, with settings that the service knows', () => {
    expect(SETTINGS).toEqual(expect.arrayContaining(['ASSURANCE_PORT', 'MONGODB_URL', 'ASSURANCE_SECRET']));
    for (const [role, service] of own) {
      expect([role, service?.command.join(' ')]).toEqual([role, commandOf(`start:${role}`)]);
      expect(existsSync(join(root, `apps/${role}/src/main.ts`))).toBe(true);
      expect(SETTINGS).toEqual(expect.arrayContaining(Object.keys(service?.environment ?? {})));
    }
  });

  it('gives all of them the same secret and engines, and the gateway the address of each of the others', () => {
    for (const name of ['ASSURANCE_SECRET', 'ASSURANCE_PUBLIC_URL', 'MONGODB_URL', 'KAFKA_BROKERS']) {
      const values = new Set(own.map(([, service]) => service?.environment[name]));
      expect([name, values.size, values.has(undefined)]).toEqual([name, 1, false]);
    }
    for (const role of ROLES.slice(1)) {
      const variable = `ASSURANCE_${role.toUpperCase().replaceAll('-', '_')}_URL`;
      expect(compose.services['gateway']?.environment[variable]).toBe(`http://${role}:8001`);
    }
  });

  it('keeps what the engines keep in named volumes, and starts nothing before what it needs is healthy', () => {
    for (const engine of ['mongodb', 'kafka']) {
      const { volumes, healthcheck } = compose.services[engine] ?? {};
      expect(volumes?.map((volume) => volume.split(':')[0])).toEqual([engine]);
      expect(compose.volumes).toHaveProperty(engine);
      expect(healthcheck).toHaveProperty('test');
    }
    for (const [, service] of own) {
      expect(service?.depends_on).toMatchObject({
        mongodb: { condition: 'service_healthy' },
        kafka: { condition: 'service_healthy' },
      });
    }
  });
});

describe('the Dockerfile', () => {
  const lines = read('Dockerfile').split('\n');

  it('installs and builds as npm start does, and runs as an unprivileged user', () => {
    const { prestart } = scripts;
    expect(lines.filter((line) => line.startsWith('RUN')).join('\n')).toContain(`RUN ${prestart} && `);
    expect(lines).toContain(`CMD ${JSON.stringify(commandOf('start').split(' ')).replaceAll(',', ', ')}`);
    expect(lines.findIndex((line) => line === 'USER node')).toBeGreaterThan(lines.lastIndexOf('FROM node:24-slim'));
    const set = lines.filter((line) => line.startsWith('ENV ')).flatMap((line) => line.split(' ').slice(1));
    const ofScripts = ['start', ...ROLES.map((role) => `start:${role}`)].map((script) => partsOf(script)[0]);
    expect(set).toEqual(expect.arrayContaining(ofScripts));
    const named = set.filter((setting) => !ofScripts.includes(setting)).map((setting) => setting.split('=')[0]);
    const others = ['NODE_ENV', 'npm_config_cache', 'npm_config_update_notifier'];
    expect([...others, ...SETTINGS]).toEqual(expect.arrayContaining(named));
  });
});
