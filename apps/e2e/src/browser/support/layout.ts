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

/** Cells of tables whose content lies over another cell of their row, and parts of a row of words that lie over each other. */
export const overlapping = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const drawn = (part) => {
      const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
      const boxes = [];
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
        if (text.parentElement.closest('.hidden, details:not([open]) > :not(summary)') !== null) continue;
        const range = new Range();
        range.selectNodeContents(text);
        boxes.push(...range.getClientRects());
      }
      return boxes.filter(({ width, height }) => width > 1 && height > 1);
    };
    const meets = (a, b) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    const cells = [...document.querySelectorAll('tr')].flatMap((row) =>
      [...row.cells].flatMap((cell, i, all) =>
        all
          .filter((other) => other !== cell && drawn(cell).some((one) => meets(one, other.getBoundingClientRect())))
          .map((other) => cell.dataset.head + ' over ' + other.dataset.head + ': ' + cell.innerText.slice(0, 80))));
    const words = [...document.querySelectorAll('main .line, main .pile')].flatMap((line) =>
      [...line.children].flatMap((part, i, all) =>
        all.slice(i + 1)
          .filter((other) => drawn(part).some((one) => drawn(other).some((two) => meets(one, two))))
          .map((other) => part.innerText.slice(0, 60) + ' over ' + other.innerText.slice(0, 60))));
    return [...cells, ...words];
  })()`);

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
