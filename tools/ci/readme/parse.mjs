/** A fenced block: its language, its text, and the position of its text in the page. */
/** @typedef {{lang: string, text: string, start: number, end: number, line: number}} Block */

/**
 * Returns the fenced blocks below a heading, up to the next heading of the same level.
 *
 * @param {string} page Markdown
 * @param {string} heading such as `## Limits`
 * @returns {Block[]}
 */
export function blocksBelow(page, heading) {
  const from = page.startsWith(`${heading}\n`) ? 0 : page.indexOf(`\n${heading}\n`);
  if (from === -1) throw new Error(`the document has no heading "${heading}"`);
  const level = heading.split(' ')[0];
  const next = withoutFences(page).indexOf(`\n${level} `, from + 1);
  const section = page.slice(0, next === -1 ? undefined : next);
  return [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(({ index }) => index > from)
    .map(({ index, 1: lang, 2: text }) => {
      const start = index + lang.length + 4;
      return { lang, text, start, end: start + text.length, line: page.slice(0, start).split('\n').length };
    });
}

/** Blanks the lines of fenced blocks, because comments of scripts look like headings. */
function withoutFences(page) {
  return page.replace(/^```\w+\n[\s\S]*?^```$/gm, (block) => block.replace(/[^\n]/g, ' '));
}

/**
 * Returns the commands in order, each with the answer that the page shows after it, or null.
 *
 * @param {Block[]} blocks
 */
export function steps(blocks) {
  return blocks.flatMap((command, i) => {
    if (command.lang !== 'sh') return [];
    return [{ command, answer: blocks[i + 1]?.lang === 'json' ? blocks[i + 1] : null }];
  });
}
