import type { Role } from '@assurance/http';
import { problemOfRoles, servicesOf } from './roles';

class NoModule {}
const role = (name: Role['name']): Role => ({ name, module: NoModule, needs: [] });
const servers = {
  mongodbUrl: 'mongodb://db',
  database: 'assurance',
  kafkaBrokers: ['k:9092'],
  kafkaPrefix: '',
  kafkaSecurity: { tls: null, sasl: null },
  cloudEventsTopic: null,
};
const nowhere = { ingestion: null, projection: null, 'notification-dispatcher': null, 'audit-package': null };
const embedded = { storage: { kind: 'embedded', folder: 'data' }, services: nowhere, publicUrl: null } as const;
const scaled = { storage: { kind: 'scaled', ...servers }, services: nowhere, publicUrl: null } as const;

describe('problemOfRoles', () => {
  it('lets all roles share the embedded engine', () => {
    const all = ['gateway', 'ingestion', 'projection', 'audit-package'] as const;
    expect(problemOfRoles(all.map(role), embedded)).toBeNull();
  });

  it('says which settings let a role run without the others', () => {
    expect(problemOfRoles([role('projection')], embedded)).toBe(
      'The embedded engine serves one process, and this one runs projection without gateway, ingestion, audit-package: ' +
        'set MONGODB_URL and KAFKA_BROKERS to run the services apart, or run all of them in one process with npm start.',
    );
    const split = { ...scaled, publicUrl: 'https://assurance.example.com' };
    expect(problemOfRoles([role('projection')], split)).toBeNull();
    expect(problemOfRoles([role('audit-package')], split)).toBeNull();
  });

  it('has split services make links that lead to the gateway', () => {
    expect(problemOfRoles([role('projection')], scaled)).toBe(
      'ASSURANCE_PUBLIC_URL is not set, but this process runs projection without gateway: ' +
        'set it to where callers find the gateway, the same on all services.',
    );
  });

  it('says which setting tells the gateway where a service is that answers routes', () => {
    const services = { ...nowhere, ingestion: ['http://ingestion:8001'], 'audit-package': ['http://packages:8001'] };
    expect(problemOfRoles([role('gateway')], { ...scaled, services })).toBe(
      'ASSURANCE_PROJECTION_URL is not set, but this process runs the gateway without projection: ' +
        'set it to where projection listens, such as http://projection:8001, or to several such addresses with commas between.',
    );
    expect(problemOfRoles([role('gateway'), role('projection')], { ...scaled, services })).toBeNull();
  });

  it('refuses a role that is named twice', () => {
    expect(problemOfRoles([role('gateway'), role('gateway')], scaled)).toBe('The role gateway is named twice.');
  });
});

describe('servicesOf', () => {
  const services = { ...nowhere, ingestion: ['http://a:1'], projection: ['http://b:1', 'http://b:2'] };

  it('hands a gateway the services that are not in its process', () => {
    expect([...servicesOf([role('gateway'), role('ingestion')], { services })]).toEqual([
      ['projection', ['http://b:1', 'http://b:2']],
      ['audit-package', []],
    ]);
  });

  it('gives no service to other roles', () => {
    expect(servicesOf([role('ingestion')], { services }).size).toBe(0);
  });
});
