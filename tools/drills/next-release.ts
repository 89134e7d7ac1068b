// The next release of a service: node next-release.ts ROLE. It has one more event of environments, which changes no state, and another schema
// version of environments, as any release with a new event. The packages are loaded as they are, since those in a bundle cannot be changed.
import codec from '@assurance/contracts/events/codec';
import environments from '@assurance/environments/domain/environment';
import runtime from '@assurance/runtime';

interface Changeable {
  schemaVersion: number;
  evolve(state: unknown, event: { readonly type: string }, meta: unknown): unknown;
}

const TYPE = 'EnvironmentPainted';
const environment = environments.environment as unknown as Changeable;
const { evolve } = environment;
const versions = codec.CODEC as Readonly<Record<string, Record<string, readonly number[]>>>;

(versions['environment'] ?? {})[TYPE] = [1];
environment.schemaVersion += 1;
environment.evolve = (state, event, meta) => (event.type === TYPE ? state : evolve(state, event, meta));

const [role = ''] = process.argv.slice(2);
const { default: own } = (await import(`@assurance/${role}/role`)) as { default: Record<string, never> };
void runtime.run([own[role] as never]);
