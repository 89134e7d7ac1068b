import type { Role } from '@assurance/http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkConfig } from './check-config';

const ROLES = ['gateway', 'ingestion', 'projection', 'notification-dispatcher', 'audit-package'].map(
  (name) => ({ name }) as Role,
);
const SERVERS = {
  MONGODB_URL: 'mongodb://ada:hush@db:27017',
  KAFKA_BROKERS: 'k:9092',
  ASSURANCE_SECRET: 'x'.repeat(32),
};

describe('config check', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assurance-config-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  it('prints every setting with its source, and no secret', () => {
    const settings = file('settings.yaml', 'ASSURANCE_PORT: 9001\n');
    const smtp = file('smtp', 'smtp://ada:hush@mail\n');
    const env = { ...SERVERS, ASSURANCE_CONFIG_FILE: settings, ASSURANCE_SMTP_URL_FILE: smtp, ASSURANCE_PROT: '1' };
    const { text, warnings } = checkConfig(ROLES, ['check'], env);
    const lines = text.split('\n');
    expect(lines).toEqual(lines.toSorted());
    expect(lines).toEqual(
      expect.arrayContaining([
        'ASSURANCE_HOST=127.0.0.1  (default)',
        `ASSURANCE_PORT=9001  (${settings})`,
        'ASSURANCE_PUBLIC_URL=  (default)',
        'ASSURANCE_SECRET=(not shown)  (environment)',
        `ASSURANCE_SMTP_URL=(not shown)  (${smtp})`,
        'KAFKA_BROKERS=k:9092  (environment)',
        'MONGODB_URL=(not shown)  (environment)',
      ]),
    );
    expect(text).not.toMatch(/hush|xxxx/);
    expect(warnings).toEqual(['ASSURANCE_PROT is not a setting of this version and has no effect.']);
  });

  it.each([
    ['a wrong value', ['check'], { ASSURANCE_PORT: 'high' }, /^ASSURANCE_PORT is "high", but must be/],
    ['half of the engines', ['check'], { KAFKA_BROKERS: 'k:9092' }, /^KAFKA_BROKERS is set and MONGODB_URL is not/],
    ['a service alone on the embedded engine', ['check', 'ingestion'], {}, /^The embedded engine serves one process/],
    [
      'a gateway without addresses',
      ['check', 'gateway'],
      SERVERS,
      /^ASSURANCE_[A-Z]+_URL is not set, but this process runs the gateway/,
    ],
    ['a bootstrap file that is missing', ['check'], { ASSURANCE_BOOTSTRAP_FILE: '/none.yaml' }, /none\.yaml/],
    [
      'certificates that are missing',
      ['check'],
      { ASSURANCE_TLS_CERTIFICATE_FILE: '/none.pem', ASSURANCE_TLS_KEY_FILE: '/none.pem' },
      /^ASSURANCE_TLS_CERTIFICATE_FILE names \/none\.pem/,
    ],
    ['another service', ['check', 'reporter'], {}, /services are gateway, ingestion/],
    ['another word', ['print'], {}, /^config takes check/],
  ])('refuses %s, as a start does', (_, words, env, sentence) => {
    expect(() => checkConfig(ROLES, words, env)).toThrow(sentence);
  });
});
