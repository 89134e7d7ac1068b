// Reads docs/specification-coverage.md. Its sections have the numbers of the specification. Each has a table of statements with the test that shows them.
//   | what | [label]: title of the test |          a title that a spec uses twice follows its `describe`: outer › title
//   [label]: ../path/of/the.spec.ts               at the end of the page

/** Separates the title of a `describe` from the title of a test in it. */
const INSIDE = ' › ';

/** Returns the paths of the tests of a file, named relative to the page; null if there is no such spec. */
export type TestsIn = (path: string) => readonly (readonly string[])[] | null;

interface Row {
  readonly line: number;
  /** Null if the row is no statement with a test. */
  readonly label: string | null;
  readonly title: string;
}

/** Reads the page's sections and rows, and the files by their labels. */
export function read(page: string) {
  const sections: { readonly name: string; readonly line: number; rows: number }[] = [];
  const rows: Row[] = [];
  const files = new Map<string, string>();
  for (const [i, text] of page.split('\n').entries()) {
    const heading = /^#{2,3} ([\d.]*\d|\w+)/.exec(text)?.[1];
    const [, label, path = ''] = /^\[([^\]]+)\]: (\S+)$/.exec(text) ?? [];
    if (heading !== undefined) sections.push({ name: heading, line: i + 1, rows: 0 });
    else if (label !== undefined) files.set(label.toLowerCase(), path);
    else if (/^\|(?! what \||[ :|-]+$)/.test(text)) {
      const section = sections.at(-1);
      if (section !== undefined) section.rows += 1;
      rows.push({ line: i + 1, ...cells(text) });
    }
  }
  return { sections, rows, files };
}

function cells(text: string): Omit<Row, 'line'> {
  const [, what = '', test = '', ...more] = text.split(/(?<!\\)\|/).map((cell) => cell.trim());
  const [, label, title = ''] = /^\[([^\]]+)\]: (.+)$/.exec(test) ?? [];
  if (what === '' || label === undefined || more.length !== 1) return { label: null, title };
  return { label: label.toLowerCase(), title: title.replaceAll('\\|', '|') };
}

/** Finds the errors of the page and returns one sentence for each. Each of the `required` sections needs at least one row. */
export function problems(page: string, required: readonly string[], testsIn: TestsIn): readonly string[] {
  const { sections, rows, files } = read(page);
  const named = new Set(rows.map(({ label }) => label));
  const missing = required.filter((name) => !sections.some((section) => section.name === name));
  return [
    ...missing.map((name) => `there is no section ${name}`),
    ...sections.flatMap(({ name, line, rows: many }) => {
      if (!required.includes(name)) return [`line ${line}: the specification has no section ${name}`];
      return many === 0 ? [`line ${line}: section ${name} has no row`] : [];
    }),
    ...[...files.keys()].filter((label) => !named.has(label)).map((label) => `no row names [${label}]`),
    ...rows.flatMap((row) => rowProblems(row, files, testsIn).map((problem) => `line ${row.line}: ${problem}`)),
  ];
}

function rowProblems({ label, title }: Row, files: ReadonlyMap<string, string>, testsIn: TestsIn): readonly string[] {
  if (label === null) return ['the row is not "| what | [spec]: title of a test |"'];
  const path = files.get(label);
  if (path === undefined) return [`the page does not say which file [${label}] is`];
  const tests = testsIn(path)?.map((test) => test.join(INSIDE));
  if (tests === undefined) return [`there is no spec ${path}`];
  const found = tests.filter((test) => test === title || test.endsWith(INSIDE + title));
  if (found.length === 1) return [];
  return [`${path} has ${found.length === 0 ? 'no test' : `${found.length} tests`} "${title}"`];
}
