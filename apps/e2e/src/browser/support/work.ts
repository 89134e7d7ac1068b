import type { Page } from 'playwright-core';

/** @returns a function that returns the milliseconds that the page's main thread computed since the last load */
export async function measureWork(page: Page): Promise<() => Promise<number>> {
  const client = await page.context().newCDPSession(page);
  // Of a core, not of a clock: a busy machine must not make pages look slow.
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await client.send('Performance.getMetrics');
    const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
    if (seconds === 0) throw new Error('the browser does not tell how long it computed');
    return seconds * 1000;
  };
}
