// Imported before this release it makes the next one of it: that one knows one more event of environments, which changes nothing in them. As any
// release with a new event does, it folds environments with another schema version.
import events from '@assurance/contracts-events';
import model from '@assurance/model';

const TYPE = 'EnvironmentPainted';
const { environment } = model;
const { evolve } = environment;

events.CODEC.environment[TYPE] = [1];
environment.schemaVersion += 1;
environment.evolve = (state, event, meta) => (event.type === TYPE ? state : evolve(state, event, meta));
