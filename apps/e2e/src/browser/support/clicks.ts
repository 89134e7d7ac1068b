import type { Page } from 'playwright-core';

/** Counts the clicks on a page from its next address on. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    sessionStorage.setItem('clicks', '0');
    // A choice in a browser's own list makes no click on a link or button.
    addEventListener(
      'click',
      ({ target }) => {
        if (!(target instanceof Element) || target.closest('a, button, [role="option"]') === null) return;
        sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks')) + 1));
      },
      { capture: true },
    );
  });
  return async () => Number(await page.evaluate(() => sessionStorage.getItem('clicks')));
}
