import type { Page } from 'playwright-core';
import { eventually } from '../../support/eventually';

/** Words of table cells and of facts that stand on two lines. */
export const broken = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('td, th, dd')].flatMap((cell) => {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
      for (const { 0: word, index } of text.data.matchAll(/[^\\s\\u200b/-]+/g)) {
        const range = new Range();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)));
        if (lines.size > 1) found.push(word);
      }
    return found;
  })`);

/** What is cut at the side of the paper. */
export const cut = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('[role=group], table, pre')]
    .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible')
    .map((one) => one.outerHTML.slice(0, 80))`);

/** Cells whose content lies over the next column, and figures that do not stand below their head. */
export const misplaced = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('td')]
    .filter((cell) => {
      const { width } = cell.getBoundingClientRect();
      const ends = cell.dataset.kind === 'number' && cell.firstElementChild?.getClientRects().length === 1
        ? getComputedStyle(cell.firstElementChild).justifyItems
        : 'end';
      return width > 0 && (cell.scrollWidth > cell.clientWidth + 1 || ends === 'start');
    })
    .map((cell) => cell.dataset.head + ': ' + cell.innerText.slice(0, 80))`);

/** By how many pixels the page is wider than the window. */
export const excess = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');

/** Figures that end a row and leave space beside them. */
export const uneven = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('[data-figures]')].flatMap((figures) => {
    const tiles = [...figures.children].map((tile) => ({ tile, ...tile.getBoundingClientRect().toJSON() }));
    const end = figures.getBoundingClientRect().right;
    return tiles
      .filter(({ top, right }, i) => tiles[i + 1]?.top !== top && end - right > 2)
      .map(({ tile }) => tile.innerText);
  })`);

/** Charts that do not fill their place, or whose texts are larger or smaller than written. Charts are drawn again after a change of the window. */
export const misfitting = (page: Page) =>
  eventually(
    () =>
      page.evaluate<string[]>(`[...document.querySelectorAll('svg[role=img]')]
        .filter((chart) => {
          const { width } = chart.getBoundingClientRect();
          return width < chart.parentElement.clientWidth - 1 || Math.abs(width - chart.viewBox.baseVal.width) > 1;
        })
        .map((chart) => chart.textContent.slice(0, 80))`),
    (charts) => charts.length === 0,
  );

/** Parts of the page that take space and show nothing. */
export const vacant = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('main :is(div, p, li, dd):not(details:not([open]) *)')]
    .filter((part) => part.clientHeight > 8 && part.clientWidth > 8 && part.innerText.trim() === '')
    .filter((part) => part.querySelector('svg, input, select, textarea, a, button') === null)
    .map((part) => part.outerHTML.slice(0, 80))`);

/** Links to other sites whose icon stands on a line of its own. */
export const widowed = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('main a[target=_blank]:has(svg)')]
    .filter((link) => {
      const range = new Range();
      range.setStart(link, 0);
      range.setEndBefore(link.querySelector('svg'));
      const last = [...range.getClientRects()].filter(({ width }) => width > 0).at(-1);
      return last !== undefined && link.querySelector('svg').getBoundingClientRect().top > last.bottom;
    })
    .map((link) => link.href)`);
