// Reads docs/specification-coverage.md. Its sections have the numbers of the specification. Each has a table of statements with the test that shows them.
//   | what | [label]: title of the test |          a title that a spec uses twice follows its `describe`: outer › title
//   [label]: ../path/of/the.spec.ts               at the end of the page

/** Separates the title of a `describe` from the title of a test in it. */
const INSIDE = ' › ';

/** Reads the page's sections and rows, and the files by their labels. */
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
 * Finds the errors of the page and returns one sentence for each.
 *
 * @param wanted the required sections; each needs at least one row
 * @param testsIn returns the paths of the tests of a file, named relative to the page; null if there is no such spec
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
