// Loaded before this release it makes the next one of it: that one knows one more event of environments, which changes nothing in them. As any
// release with a new event does, it folds environments with another schema version.
const { CODEC } = require('@assurance/contracts-events');
const { environment } = require('@assurance/model');

const TYPE = 'EnvironmentPainted';
const { evolve } = environment;

CODEC.environment[TYPE] = [1];
environment.schemaVersion += 1;
environment.evolve = (state, event, meta) => (event.type === TYPE ? state : evolve(state, event, meta));
