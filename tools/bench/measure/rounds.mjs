import { cpuBetween, cpuSeconds } from './process.mjs';
import { spread } from './stats.mjs';

/**
 * Measures contenders in turn, A B, B A, A B …, so that a slow period of the machine affects both.
 *
 * @param {{rounds: number, say: (text: string) => void}} how
 * @param {Record<string, {pid: number | readonly number[], run: () => Promise<object>, settle?: () => Promise<object | void>}>} contenders
 *   `run` sends the load and returns `requests`, `perSecond`, `p50`, `p99`, and `cpuSeconds` if processes other than `pid` do the work. `settle` waits
 *   until the work after the answers is done, because its CPU counts, and may return more figures
 * @returns the rounds, each with every contender's figures and `cpu`, in milliseconds a request
 */
export async function alternate({ rounds, say }, contenders) {
  const names = Object.keys(contenders);
  const measured = [];
  for (let round = 0; round < rounds; round += 1) {
    const figures = {};
    for (const name of round % 2 === 0 ? names : [...names].reverse()) {
      const { pid, run, settle } = contenders[name];
      const cpuOfAll = () => [pid].flat().reduce((sum, one) => sum + cpuSeconds(one), 0);
      const before = cpuOfAll();
      const figure = await run();
      const ended = performance.now();
      const more = await settle?.();
      const settled = (performance.now() - ended) / 1000;
      const used = figure.cpuSeconds ?? cpuBetween(before, cpuOfAll());
      figures[name] = { ...figure, ...more, settled, cpu: (used * 1000) / figure.requests };
    }
    say(names.map((name) => `${name} ${figures[name].perSecond.toFixed(0)}/s`).join(', '));
    measured.push(figures);
  }
  return measured;
}

/** The median of each figure of one contender over the rounds. */
export function summary(rounds, name) {
  const of = (figure) => spread(rounds.map((round) => round[name][figure]));
  return Object.fromEntries(['perSecond', 'p50', 'p99', 'cpu', 'settled'].map((figure) => [figure, of(figure)]));
}
