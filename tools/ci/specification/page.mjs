// docs/specification-coverage.md: sections with the specification's numbers, in each a table with a statement and the test that shows it.
//   | what | [label]: title of the test |          a title that a spec has twice has its `describe` before it: outer › title
//   [label]: ../path/of/the.spec.ts               at the end of the page

/** What stands between the title of a `describe` and that of a test in it. */
const INSIDE = ' › ';

/** The page's sections and rows, and the files by their labels. */
export function read(page) {
  const [sections, rows, files] = [[], [], new Map()];
  page.split('\n').forEach((text, i) => {
    const heading = /^#{2,3} ([\d.]*\d|\w+)/.exec(text);
    const [, label, path] = /^\[([^\]]+)\]: (\S+)$/.exec(text) ?? [];
    if (heading !== null) sections.push({ name: heading[1], line: i + 1, rows: 0 });
    else if (label !== undefined) files.set(label.toLowerCase(), path);
    else if (/^\|(?! what \||[ :|-]+$)/.test(text)) {
      const section = sections.at(-1);
      if (section !== undefined) section.rows += 1;
      rows.push({ line: i + 1, ...cells(text) });
    }
  });
  return { sections, rows, files };
}

function cells(text) {
  const [, what = '', test = '', ...more] = text.split(/(?<!\\)\|/).map((cell) => cell.trim());
  const [, label, title = ''] = /^\[([^\]]+)\]: (.+)$/.exec(test) ?? [];
  const whole = what !== '' && label !== undefined && more.length === 1;
  return whole ? { label: label.toLowerCase(), title: title.replaceAll('\\|', '|') } : { label: null };
}

/**
 * What is wrong with the page, a sentence each.
 *
 * @param wanted the sections that it must have, each with a row at least
 * @param testsIn the paths of the tests of a file that the page names relative to itself; null where there is no such spec
 */
export function problems(page, wanted, testsIn) {
  const { sections, rows, files } = read(page);
  const named = new Set(rows.map(({ label }) => label));
  return [
    ...wanted.filter((name) => !sections.some((one) => one.name === name)).map((name) => `there is no section ${name}`),
    ...sections.flatMap(({ name, line, rows: many }) => {
      if (!wanted.includes(name)) return [`line ${line}: the specification has no section ${name}`];
      return many === 0 ? [`line ${line}: section ${name} has no row`] : [];
    }),
    ...[...files.keys()].filter((label) => !named.has(label)).map((label) => `no row names [${label}]`),
    ...rows.flatMap((row) => rowProblems(row, files, testsIn).map((problem) => `line ${row.line}: ${problem}`)),
  ];
}

function rowProblems({ label, title }, files, testsIn) {
  if (label === null) return ['the row is not "| what | [spec]: title of a test |"'];
  const path = files.get(label);
  if (path === undefined) return [`the page does not say which file [${label}] is`];
  const tests = testsIn(path);
  if (tests === null) return [`there is no spec ${path}`];
  const found = tests.filter((one) => one.join(INSIDE) === title || one.join(INSIDE).endsWith(INSIDE + title));
  if (found.length === 1) return [];
  return [`${path} has ${found.length === 0 ? 'no test' : `${found.length} tests`} "${title}"`];
}
