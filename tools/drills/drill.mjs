import { audit } from './load/audit.mjs';
import { load } from './load/clients.mjs';
import { Ledger } from './load/ledger.mjs';
import { operate } from './stage/stage.mjs';

/** The time limit of a drill: a minute, and this for each repetition (milliseconds). */
const BOUND_MS = 180_000;
const BOUND_EACH_MS = 60_000;
/** How often progress is printed (milliseconds). */
const TOLD_MS = 30_000;

/**
 * Runs a drill on a stage, then audits the reports.
 *
 * @param {(text: string) => void} say is called with progress messages
 * @returns the line of the result, and whether nothing is lost or doubled
 */
export async function drill(stage, { act, alone }, size, say) {
  const begun = performance.now();
  const { times, bound = BOUND_MS + BOUND_EACH_MS * times } = size;
  const late = setTimeout(() => {
    console.error(`the drill did not end within ${bound / 1_000} s`);
    process.exit(1);
  }, bound);
  const ledger = new Ledger();
  const telling = setInterval(() => say(`${ledger.progress()} after ${elapsed(begun)} s`), TOLD_MS);
  const { counts, told } = await (alone ? withOwn(stage, ledger, alone, size) : loaded(stage, ledger, act, size));
  await operate(stage.ingestion[0], 'verify').catch((fault) =>
    ledger.wrong.push(`verify: ${fault.stdout}${fault.stderr}`),
  );
  for (const service of [...stage.gateway, ...stage.ingestion, ...stage.projection])
    if (!(await service.lives())) ledger.wrong.push(`${service.role} ended by itself`);
  clearTimeout(late);
  clearInterval(telling);
  const { found, doubled, lost } = counts;
  const passed = doubled === 0 && lost === 0 && found === ledger.count && ledger.wrong.length === 0;
  const figures = [
    `acknowledged ${ledger.count}, found ${found}, doubled ${doubled}, lost ${lost}`,
    `longest gap ${inSeconds(ledger.gaps.reports)} (reads ${inSeconds(ledger.gaps.reads)})`,
    `slowest answer ${inSeconds(ledger.slowest)}`,
    ...(counts.caught === undefined ? [] : [`views complete after ${inSeconds(counts.caught)}`]),
    ...(told === undefined ? [] : [told]),
    `${times > 1 ? `${times} times, ` : ''}${elapsed(begun)} s`,
  ];
  return { passed, text: [figures.join('; '), ...new Set(ledger.wrong)].join('\n  ') };
}

async function loaded(stage, ledger, act, how) {
  const clients = await load(stage, ledger, how.pause);
  const expect = (good, text) => void (good || ledger.wrong.push(text));
  const told = await act({ stage, clients, expect, ...how });
  await clients.stop();
  return { told, counts: await audit(stage, ledger) };
}

async function withOwn(stage, ledger, alone, size) {
  const { told, ...counts } = await alone({ stage, ledger, ...size });
  return { told, counts };
}

/** Full seconds since a time. */
function elapsed(begun) {
  return Math.round((performance.now() - begun) / 1_000);
}

function inSeconds(milliseconds) {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}
