import { EventEmitter } from 'node:events';
import { logWarnings, openLog } from './log';
import { nestLog } from './nest-log';

function log() {
  const lines: string[] = [];
  const logger = openLog('info', { write: (line) => lines.push(line) });
  return {
    logger,
    text: () => lines.join(''),
    last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown>,
  };
}

it('escapes characters that change the order of others', () => {
  const { logger, text, last } = log();
  logger.info({ name: 'web\u202egpj.exe' }, 'of \u2067x');
  expect(text()).toContain('web\\u202egpj.exe');
  expect(text()).not.toMatch(/[\u202e\u2067]/);
  expect(last()).toMatchObject({ name: 'web\u202egpj.exe', msg: 'of \u2067x' });
});

const KEY = 'c2VjcmV0LWtleS0xMjM';

describe('the log', () => {
  it.each([
    ['a header', { authorization: `Bearer ${KEY}` }, 'x'],
    ['a header list', { headers: ['Authorization', `Basic ${KEY}`] }, 'x'],
    ['a deep header', { req: { raw: { headers: { Authorization: `${KEY}` } } } }, 'x'],
    ['an API key', { key: KEY, apiKey: KEY, api_key: KEY, 'x-api-key': KEY }, 'x'],
    ['tokens and secrets', { token: KEY, access_token: KEY, signing_secret: KEY, password: KEY, cookie: KEY }, 'x'],
    ['JSON in a text', { body: JSON.stringify({ key: KEY, n: 1 }) }, JSON.stringify({ token: KEY })],
    ['a message', {}, `refused Bearer ${KEY} and basic ${KEY}==`],
    ['a URL', { url: `mongodb://ada:${KEY}@db/x` }, `https://${KEY}@example.com`],
    ['an error', { err: Object.assign(new Error(`Bearer ${KEY}`), { config: { authorization: KEY } }) }, 'x'],
    ['a value with quotes', { secret: `a"b\\${KEY}` }, 'x'],
  ])('shows no secret of %s', (_, fields, message) => {
    const { logger, text, last } = log();
    logger.info(fields, message);
    expect(text()).not.toContain(KEY);
    expect(last()).toMatchObject({ level: 30 });
  });

  it('reads a line of backslashes in no time', () => {
    const { logger } = log();
    const before = process.cpuUsage();
    logger.info({ path: '\\'.repeat(16_000) }, 'x');
    // It took 4 s.
    expect(process.cpuUsage(before).user).toBeLessThan(500_000);
  });

  it('leaves the rest as it is', () => {
    const { logger, last } = log();
    logger.warn({ keys: 3, path: '/api/v2/environments/acme', keyboard: 'x', monkey: 'y' }, 'the key was not found');
    expect(last()).toMatchObject({
      keys: 3,
      path: '/api/v2/environments/acme',
      keyboard: 'x',
      monkey: 'y',
      msg: 'the key was not found',
    });
  });

  it('leaves out what is below its level', () => {
    const { logger, text } = log();
    logger.debug('x');
    expect(text()).toBe('');
  });

  it("takes Nest's lines, and its own chatter only for debugging", () => {
    const { logger, text, last } = log();
    const nest = nestLog(logger);
    nest.log('AppModule dependencies initialized', 'InstanceLoader');
    expect(text()).toBe('');
    nest.log('followed the feed', 'Projection');
    expect(last()).toMatchObject({ level: 30, context: 'Projection', msg: 'followed the feed' });
    nest.error('failed', 'Error: failed\n at x', 'Projection');
    expect(last()).toMatchObject({ level: 50, context: 'Projection', stack: 'Error: failed\n at x' });
  });
});

describe('warnings of Node', () => {
  const warned: object[] = [];
  const debugged: object[] = [];
  const logger = {
    warn: (fields: object) => void warned.push(fields),
    debug: (fields: object) => void debugged.push(fields),
  } as unknown as Parameters<typeof logWarnings>[0];
  const errorNamed = (name: string) => Object.assign(new Error('x'), { name });

  it('go to the log and nowhere else, those that mean nothing to an operator only when asked for', () => {
    const events = new EventEmitter();
    const printed: unknown[] = [];
    events.on('warning', (warning) => printed.push(warning));
    logWarnings(logger, events as unknown as NodeJS.Process);
    const [deprecated, harmless] = [errorNamed('DeprecationWarning'), errorNamed('TimeoutNegativeWarning')];
    events.emit('warning', deprecated);
    events.emit('warning', harmless);
    expect([warned, debugged, printed]).toEqual([[{ err: deprecated }], [{ err: harmless }], []]);
  });
});
