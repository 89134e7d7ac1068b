import { cpuBetween, cpuSeconds } from './process.mjs';
import { spread } from './stats.mjs';

/**
 * Measures contenders in turns, A B, B A, A B …: what slows the machine down for a while slows both.
 *
 * @param {{rounds: number, say: (text: string) => void}} how
 * @param {Record<string, {pid: number | readonly number[], run: () => Promise<object>, settle?: () => Promise<object | void>}>} contenders
 *   `run` makes the load and tells `requests`, `perSecond`, `p50`, `p99`, and `cpuSeconds` where others than `pid` do the work; `settle` waits until what the requests left to do is done, whose CPU
 *   belongs to them, and may tell more
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

/** One contender's figures over the rounds: the middle of each. */
export function summary(rounds, name) {
  const of = (figure) => spread(rounds.map((round) => round[name][figure]));
  return Object.fromEntries(['perSecond', 'p50', 'p99', 'cpu', 'settled'].map((figure) => [figure, of(figure)]));
}
