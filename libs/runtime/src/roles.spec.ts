import type { Role } from '@assurance/http';
import { problemOfRoles } from './roles';

class NoModule {}
const role = (name: Role['name']): Role => ({ name, module: NoModule, needs: [] });
const embedded = { kind: 'embedded', folder: 'data' } as const;
const servers = { mongodbUrl: 'mongodb://db', database: 'assurance', kafkaBrokers: ['k:9092'], kafkaPrefix: '' };
const scaled = { kind: 'scaled', ...servers } as const;

describe('problemOfRoles', () => {
  it('lets all roles share the embedded engine', () => {
    expect(problemOfRoles([role('gateway'), role('ingestion'), role('projection')], embedded)).toBeNull();
  });

  it('says which settings let a role run without the others', () => {
    expect(problemOfRoles([role('projection')], embedded)).toBe(
      'The embedded engine serves one process, and this one runs projection without gateway, ingestion: ' +
        'set MONGODB_URL and KAFKA_BROKERS to run the services apart, or run all of them in one process with npm start.',
    );
    expect(problemOfRoles([role('projection')], scaled)).toBeNull();
  });

  it('refuses a role that is named twice', () => {
    expect(problemOfRoles([role('gateway'), role('gateway')], scaled)).toBe('The role gateway is named twice.');
  });
});
