import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const STORAGE = resolve(__dirname, '../../../storage');
const SUITES: Readonly<Record<string, string>> = {
  'event-store': 'eventStoreSuite',
  documents: 'documentsSuite',
  feed: 'feedSuite',
  blobs: 'blobsSuite',
};
const PORTS = Object.keys(SUITES);

interface Engine {
  readonly name: string;
  /** The ports it says it implements: `assurance.engines` of its package.json. */
  readonly ports: readonly string[];
  /** All its specs as one text. */
  readonly specs: string;
}

interface Manifest {
  readonly nx: { readonly tags: readonly string[] };
  /** The ports of each engine, by its folder. */
  readonly assurance?: { readonly engines: Readonly<Record<string, readonly string[]>> };
}

function engines(): Engine[] {
  return ['.', ...readdirSync(STORAGE)].flatMap((name): Engine[] => {
    const file = join(STORAGE, name, 'package.json');
    if (!existsSync(file)) return [];
    const { nx, assurance } = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
    if (!nx.tags.includes('type:engine')) return [];
    return Object.entries(assurance?.engines ?? {}).map(([engine, ports]) => ({
      name: engine,
      ports,
      specs: specsOf(join(STORAGE, engine, 'src')),
    }));
  });
}

function specsOf(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.spec.ts'))
    .map((path) => readFileSync(join(folder, path), 'utf8'))
    .join('\n');
}

/** Called at the beginning of a line: not in a comment, not behind a condition. */
function calls(specs: string, suite: string): boolean {
  return new RegExp(`^${suite}\\(\\w`, 'm').test(specs);
}

describe('every engine runs the suite of every port it implements', () => {
  const all = engines();

  it.each(all)('$name', ({ ports, specs }) => {
    expect(ports).not.toEqual([]);
    expect(PORTS).toEqual(expect.arrayContaining([...ports]));
    const missing = ports.filter((port) => !calls(specs, SUITES[port]!));
    expect(missing).toEqual([]);
    expect(specs).not.toMatch(/\b(?:describe|it|test)\.(?:skip|only|todo)\b/);
  });

  it.each(PORTS)('no engine implements %s without saying so', (port) => {
    const silent = all.filter(({ ports, specs }) => !ports.includes(port) && calls(specs, SUITES[port]!));
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it('and every folder of an engine says so', () => {
    const folders = readdirSync(STORAGE).filter((name) => existsSync(join(STORAGE, name, 'src')));
    expect(all.map(({ name }) => name).sort()).toEqual(folders.filter((name) => name !== 'ports').sort());
  });

  it('and every port has an engine', () => {
    expect(PORTS.filter((port) => !all.some(({ ports }) => ports.includes(port)))).toEqual([]);
  });
});
