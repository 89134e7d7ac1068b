const number = (value, digits) =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Formats the results as Markdown tables: measurements, written bytes, goals. */
export function tables(results, goals) {
  const measured = Object.values(results).flatMap((result) =>
    Array.isArray(result) ? result.flatMap(({ rows }) => rows) : result.ratio === undefined ? [] : [result],
  );
  const parts = [];
  if (measured.length > 0) {
    const head = [
      'what',
      'a second',
      'limit',
      'limit, a second',
      'ratio',
      'p50 ms',
      'p99 ms',
      'CPU ms',
      "limit's CPU ms",
      'peak MB',
    ];
    parts.push(table(head, measured.map(line)));
  }
  if (results.growth !== undefined) {
    const { stored, written } = results.growth;
    const bytes = (of) => [number(of.small.median, 0), number(of.large.median, 0), spread(of.ratio)];
    const head = ['one change, bytes', 'of 10 artifacts', 'of 10,000', 'ratio'];
    parts.push(
      table(head, [
        ['in the event store', ...bytes(stored)],
        ['written to database and WAL', ...bytes(written)],
      ]),
    );
  }
  const writing = Object.values(results).filter(({ written }) => written?.commit !== undefined);
  if (writing.length > 0) {
    const bytes = ({ name, written: { each, commit, ratio } }) => [
      name,
      number(each.median, 0),
      number(commit, 0),
      spread(ratio),
    ];
    parts.push(table(['one report, bytes', 'written', 'its commit', 'ratio'], writing.map(bytes)));
  }
  parts.push(
    table(
      ['goal', 'figure', ''],
      goals.map(({ goal, figure, met }) => [goal, figure, met ? 'met' : 'missed']),
    ),
  );
  return parts.join('\n\n');
}

function line({ name, service, rival, limit, ratio, memory }) {
  return [
    name,
    number(service.perSecond.median, 0),
    rival,
    number(limit.perSecond.median, 0),
    spread(ratio),
    number(service.p50.median, 1),
    number(service.p99.median, 1),
    number(service.cpu.median, 2),
    number(limit.cpu.median, 2),
    memory === undefined ? '' : number(memory, 0),
  ];
}

const spread = ({ median, min, max }) => `${number(median, 2)} (${number(min, 2)}–${number(max, 2)})`;
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
