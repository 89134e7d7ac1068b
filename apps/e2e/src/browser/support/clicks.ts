import type { Page } from 'playwright-core';

/** Counts presses of links, buttons and options. A choice in a browser's own list is none. */
const COUNT = `
  sessionStorage.setItem('clicks', '0');
  addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || target.closest('a, button, [role="option"]') === null) return;
    sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks')) + 1));
  }, { capture: true });
`;

/** Counts the clicks on a page from its next address on. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(COUNT);
  return async () => Number(await page.evaluate<string>(`sessionStorage.getItem('clicks')`));
}
