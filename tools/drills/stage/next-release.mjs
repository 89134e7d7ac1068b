// Turns this release into the next one when it is imported first. The next release has one more event of environments, which changes no state, and
// another schema version of environments, as any release with a new event.
import events from '@assurance/contracts-events';
import model from '@assurance/model';

const TYPE = 'EnvironmentPainted';
const { environment } = model;
const { evolve } = environment;

events.CODEC.environment[TYPE] = [1];
environment.schemaVersion += 1;
environment.evolve = (state, event, meta) => (event.type === TYPE ? state : evolve(state, event, meta));
