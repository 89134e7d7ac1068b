import type { Locator } from 'playwright-core';

/** Counts what a person does to get an answer. */
export class Clicks {
  count = 0;

  async on(locator: Locator): Promise<void> {
    this.count += 1;
    await locator.click();
  }
}
