import type { Browser, Page } from 'playwright-core';

/** The cost of opening a page. */
export interface PageCost {
  /** Clears the storage of the browser and the record of requests. */
  clear(): Promise<void>;
  /** The requests since the last clear, without those of matching addresses. */
  bytes(without?: RegExp): number;
  /** How many milliseconds the page's main thread computed since the page was last loaded. */
  work(): Promise<number>;
}

/** Elements of the fixed work. */
const ELEMENTS = 2_000;
const TRIES = 5;
/** How often a page is loaded that computes more than it may. */
const LOADS = 5;
/** Milliseconds that the fixed work took on the machine on which limits were set, when it was idle. */
const REFERENCE_MS = 93;

/**
 * The limit for what a page waited for: where it was more, in proportion to how much slower this machine is at this moment.
 *
 * @param most the limit on the machine on which it was set (milliseconds)
 */
export async function waitLimit(browser: Browser, waited: number, most: number): Promise<number> {
  return waited < most ? most : most * (await slowness(browser));
}

/**
 * What a page that was just loaded computed (milliseconds). If it is more than it may, the page is loaded again, and each time in proportion to how
 * much slower this machine is just before and after: a page that shares its core and its caches with others computes longer. The least counts.
 *
 * @param load loads the page again
 * @param most the limit on the machine on which it was set (milliseconds)
 */
export async function leastWork(
  browser: Browser,
  { work }: PageCost,
  load: () => Promise<unknown>,
  most: number,
): Promise<number> {
  let least = await work();
  for (let loads = 1; loads < LOADS && least >= most; loads += 1) {
    const before = await slowness(browser);
    await load();
    const computed = await work();
    least = Math.min(least, computed / ((before + (await slowness(browser))) / 2));
  }
  return least;
}

/** How much slower this machine is at this moment than the one on which limits were set; 1 if it is not. */
async function slowness(browser: Browser): Promise<number> {
  return Math.max(1, (await fixedWork(browser)) / REFERENCE_MS);
}

/**
 * Milliseconds that the main thread of a page computes for a fixed amount of script, style and layout: the middle of some tries. The least would be
 * what the machine does in its best moment, and a page is not loaded in that one.
 */
async function fixedWork(browser: Browser): Promise<number> {
  const page = await browser.newPage();
  try {
    const { work } = await measure(page);
    const took: number[] = [];
    for (let tries = 0; tries < TRIES; tries += 1) {
      const before = await work();
      await page.evaluate(
        `for (let round = 0; round < 3; round += 1) {
          const rows = Array.from({ length: ${ELEMENTS} }, (_, i) => ({ id: i, text: ('row ' + i).repeat(5) }));
          document.body.innerHTML = JSON.parse(JSON.stringify(rows)).map(({ id, text }) => '<p id="r' + id + '"><b>' + text + '</b></p>').join('');
          document.body.offsetHeight;
        }`,
      );
      took.push((await work()) - before);
    }
    return took.sort((a, b) => a - b)[(TRIES - 1) / 2] ?? 0;
  } finally {
    await page.close();
  }
}

export async function measure(page: Page): Promise<PageCost> {
  const client = await page.context().newCDPSession(page);
  // Of a core, not of a clock: a busy machine must not make pages look slow.
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  await client.send('Network.enable');
  const addresses = new Map<string, string>();
  const loaded = new Map<string, number>();
  client.on('Network.responseReceived', ({ requestId, response }) => addresses.set(requestId, response.url));
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => loaded.set(requestId, encodedDataLength));
  return {
    async clear() {
      await client.send('Network.clearBrowserCache');
      loaded.clear();
    },
    bytes: (without) =>
      [...loaded]
        .filter(([id]) => without?.test(addresses.get(id) ?? '') !== true)
        .reduce((sum, [, length]) => sum + length, 0),
    async work() {
      const { metrics } = await client.send('Performance.getMetrics');
      const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
      if (seconds === 0) throw new Error('the browser does not tell how long it computed');
      return seconds * 1000;
    },
  };
}
