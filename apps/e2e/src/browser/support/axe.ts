import { type AxeResults, type RunOptions, source } from 'axe-core';
import type { Page } from 'playwright-core';

/** The rules of WCAG 2.2 on levels A and AA, and what is good beyond. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const BY_RULES: RunOptions = { runOnly: { type: 'tag', values: RULES } };
/** Rules whose result can differ between light and dark. */
const BY_COLOUR: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

const WIDTHS = [1440, 360];
const HEIGHT = 900;

/**
 * Violations that axe finds on the open page: wide and narrow, light and dark, without reloading the page.
 *
 * @returns one text a finding
 */
export async function findings(page: Page): Promise<string[]> {
  // The browser takes it from its tools, where the page's policy does not apply.
  await page.evaluate(source);
  const results: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    for (const [colorScheme, options] of [
      ['light', BY_RULES],
      ['dark', BY_COLOUR],
    ] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const query = `axe.run(document, ${JSON.stringify({ ...options, resultTypes: ['violations'] })})`;
      const { violations } = await page.evaluate<AxeResults>(query);
      for (const { id, nodes } of violations) {
        results.push(`${colorScheme} ${width}: ${id} ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
      }
    }
  }
  return results;
}
