// The next release of a service: node next-release.mjs ROLE. It has one more event of environments, which changes no state, and another schema
// version of environments, as any release with a new event. The packages are loaded as they are, since those in a bundle cannot be changed.
import events from '@assurance/contracts-events';
import model from '@assurance/model';
import runtime from '@assurance/runtime';

const TYPE = 'EnvironmentPainted';
const { environment } = model;
const { evolve } = environment;

events.CODEC.environment[TYPE] = [1];
environment.schemaVersion += 1;
environment.evolve = (state, event, meta) => (event.type === TYPE ? state : evolve(state, event, meta));

const [role] = process.argv.slice(2);
const { default: own } = await import(`@assurance/${role}-role`);
void runtime.run([own[role]]);
