import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FILES = { profile: join(__dirname, 'profile.mjs'), sums: join(__dirname, 'profile-summary.mjs') };

/** Runs a script of ES modules, which Jest does not load. */
function run(script: string, env: Readonly<Record<string, string>> = {}): string {
  const args = [
    '--input-type=module',
    '-e',
    `${Object.entries(FILES)
      .map(([name, file]) => `const ${name} = await import(${JSON.stringify(file)});`)
      .join(' ')} ${script}`,
  ];
  return execFileSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, ...env } });
}

interface Summary {
  readonly script: string;
  readonly busy: number;
  readonly packages: readonly (readonly [string, number])[];
  readonly functions: readonly (readonly [string, number])[];
}

/** One node a line: id, parent, function, file. */
const NODES = [
  [1, 0, '(root)', ''],
  [2, 1, '(idle)', ''],
  [3, 1, '(garbage collector)', ''],
  [4, 1, 'main', 'file:///srv/apps/standalone/dist/main.js'],
  [5, 4, 'wrapModuleLoad', 'node:internal/modules/cjs/loader'],
  [6, 5, 'compile', 'file:///srv/node_modules/@nestjs/core/index.js'],
  [7, 4, 'handle', 'file:///srv/node_modules/@nestjs/core/router.js'],
  [8, 7, 'seal', 'file:///srv/libs/storage/records/dist/seal.js'],
  [9, 8, 'hash', ''],
  [10, 4, 'emit', 'node:events'],
] as const;

describe('the summary of a CPU profile', () => {
  const nodes = NODES.map(([id, , functionName, url]) => ({
    id,
    callFrame: { functionName, url, lineNumber: 0 },
    children: NODES.filter(([, parent]) => parent === id).map(([child]) => child),
  }));
  const samples = [2, 3, 6, 7, 8, 9, 9, 10];
  const timeDeltas = [9_000, 1_000, 4_000, 2_000, 3_000, 5_000, 6_000, 1_000];
  const { script, busy, packages, functions } = JSON.parse(
    run(`console.log(JSON.stringify(sums.summary(${JSON.stringify({ nodes, samples, timeDeltas })})))`),
  ) as Summary;

  it('leaves out what was idle, and says what the thread was started with', () => {
    expect(busy).toBe(22);
    expect(script).toBe('apps/standalone/dist/main.js');
  });

  it('counts what is built in to its caller’s package, and the start to one line', () => {
    expect(packages).toEqual([
      ['libs/storage/records', 14],
      ['(loading modules)', 4],
      ['@nestjs/core', 2],
      ['(garbage collector)', 1],
      ['node', 1],
    ]);
    expect(functions.slice(0, 2)).toEqual([
      ['libs/storage/records: hash', 11],
      ['libs/storage/records: seal', 3],
    ]);
  });
});

describe('a process that is profiled', () => {
  it('tells of each of its threads', () => {
    const folder = mkdtempSync(join(tmpdir(), 'assurance-profiles-'));
    try {
      const busy = 'for (const end = Date.now() + 50; Date.now() < end; );';
      const threads = `const { Worker } = require('node:worker_threads'); new Worker(${JSON.stringify(busy)}, { eval: true }); ${busy}`;
      const child = `(await import('node:child_process')).execFileSync(process.execPath, ['-e', ${JSON.stringify(threads)}])`;
      const told = run(
        `profile.profileInto(process.env.FOLDER); ${child}; console.log(profile.profiles(process.env.FOLDER))`,
        {
          FOLDER: folder,
        },
      );
      expect([...told.matchAll(/thread (\d+): \d+ ms busy/g)].map(([, thread]) => thread).sort()).toEqual(['0', '1']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
