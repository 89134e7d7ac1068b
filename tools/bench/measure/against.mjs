import { summary } from './rounds.mjs';
import { paired } from './stats.mjs';

/** Compares a contender with its limit in the same rounds. */
export function against(rounds, name, rival) {
  return {
    service: summary(rounds, name),
    limit: summary(rounds, rival),
    ratio: paired(rounds, (round) => round[name].perSecond / round[rival].perSecond),
    cpuRatio: paired(rounds, (round) => round[name].cpu / round[rival].cpu),
  };
}

/** How many times as much time and CPU the second one uses. */
export function growthOf(rounds, small, large) {
  const of = (figure) => paired(rounds, (round) => round[large][figure] / round[small][figure]);
  return { p50: of('p50'), cpu: of('cpu') };
}
