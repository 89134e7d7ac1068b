import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
      return { pid, thread, ...summary(JSON.parse(readFileSync(join(folder, name), 'utf8'))) };
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
