import { EventEmitter } from 'node:events';
import { logWarnings } from './log-warnings';

describe('warnings of Node', () => {
  const warned: object[] = [];
  const debugged: object[] = [];
  const logger = {
    warn: (fields: object) => void warned.push(fields),
    debug: (fields: object) => void debugged.push(fields),
  } as unknown as Parameters<typeof logWarnings>[0];
  const named = (name: string) => Object.assign(new Error('x'), { name });

  it('go to the log and nowhere else, those that mean nothing to an operator only when asked for', () => {
    const events = new EventEmitter();
    const printed: unknown[] = [];
    events.on('warning', (warning) => printed.push(warning));
    logWarnings(logger, events as unknown as NodeJS.Process);
    const [deprecated, harmless] = [named('DeprecationWarning'), named('TimeoutNegativeWarning')];
    events.emit('warning', deprecated);
    events.emit('warning', harmless);
    expect([warned, debugged, printed]).toEqual([[{ err: deprecated }], [{ err: harmless }], []]);
  });
});
