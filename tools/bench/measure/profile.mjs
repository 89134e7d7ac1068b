import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { summary } from './profile-summary.mjs';

/** How many packages and functions of a thread are shown. */
const SHOWN = 12;
/**
 * Makes every Node process that starts from now on write a CPU profile of each thread when it ends.
 *
 * @param {string} folder created if it is missing
 */
export function profileInto(folder) {
  mkdirSync(folder, { recursive: true });
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --cpu-prof --cpu-prof-dir=${folder}`.trim();
}

/**
 * Formats the CPU of each thread by package and the most expensive functions as Markdown.
 *
 * @param {string} folder with the `.cpuprofile` files of `--cpu-prof`
 */
export function profiles(folder) {
  const threads = readdirSync(folder)
    .filter((name) => name.endsWith('.cpuprofile'))
    .map((name) => {
      // CPU.date.time.process.thread.number.cpuprofile
      const [, , , pid, thread] = name.split('.');
      return { pid, thread, ...summary(unbundled(JSON.parse(readFileSync(join(folder, name), 'utf8')))) };
    });
  return threads
    .sort((a, b) => b.busy - a.busy)
    .map(({ pid, thread, script, busy, packages, functions }) => {
      const line = ([name, ms]) => `| ${name} | ${ms.toFixed(0)} | ${((100 * ms) / busy).toFixed(1)} % |`;
      const rows = (head, all) => [`| ${head} | ms | share |`, '| --- | --- | --- |', ...all.slice(0, SHOWN).map(line)];
      const title = `**${script}**, process ${pid}, thread ${thread}: ${busy.toFixed(0)} ms busy`;
      return [title, '', ...rows('package', packages), '', ...rows('function', functions)].join('\n');
    })
    .join('\n\n');
}

const maps = new Map();

/** The source map of a file, null if it has none. */
function mapOf(url) {
  if (!maps.has(url)) {
    const file = url.startsWith('file:') ? `${fileURLToPath(url)}.map` : '';
    maps.set(url, existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : null);
  }
  return maps.get(url);
}

/** The profile with the files that functions are from in place of the bundles that they are in. */
function unbundled({ nodes, ...profile }) {
  const sourceOf = ({ url, lineNumber, columnNumber }) => {
    const source = mapOf(url)?.findEntry(lineNumber, columnNumber).originalSource;
    return source === undefined ? url : new URL(source, url).href;
  };
  return {
    ...profile,
    nodes: nodes.map((node) => ({ ...node, callFrame: { ...node.callFrame, url: sourceOf(node.callFrame) } })),
  };
}
