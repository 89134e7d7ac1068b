import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../../..');
const textsOf = (pattern: string) =>
  globSync(pattern, { cwd: ROOT, exclude: (name) => name === 'node_modules' || name === 'dist' }).map((file) =>
    readFileSync(join(ROOT, file), 'utf8'),
  );

/** Finds the handler classes that a source file declares. */
const handlersIn = (source: string) =>
  [...source.matchAll(/@(?:Command|Query|Events)Handler\([^)]*\)\s+export class (\w+)/g)].map(([, name = '']) => name);

/** Counts the tests of each outermost `describe`, by its title. */
const testsIn = (spec: string) =>
  spec
    .split(/^describe\('/m)
    .slice(1)
    .map(
      (block) => [block.slice(0, block.indexOf("'")), block.match(/^ +it(?:\.each\(.*\))?\(/gm)?.length ?? 0] as const,
    );

const sources = textsOf('{libs/features,apps}/**/*.ts');
const handlers = sources.flatMap(handlersIn);
const tests = new Map(sources.flatMap(testsIn));

describe('command and query handlers', () => {
  it('are found in the sources', () => {
    expect(handlers.length).toBe(
      sources.flatMap((text) => text.match(/^@(?:Command|Query|Events)Handler\(/gm) ?? []).length,
    );
    expect(handlers).toContain('PutFlowHandler');
  });

  it('each have tests of their own, in a describe that has the name of the class', () => {
    expect(handlers.filter((name) => (tests.get(name) ?? 0) === 0)).toEqual([]);
  });

  it('are not named by tests of handlers that no longer exist', () => {
    const named = [...tests.keys()].filter((title) => /^[A-Z]\w+Handler$/.test(title));
    expect(named.filter((title) => !handlers.includes(title))).toEqual([]);
  });
});
