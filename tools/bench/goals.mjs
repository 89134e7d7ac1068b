const text = ({ median, min, max }, digits = 2) =>
  `${number(median, digits)} (${number(min, digits)}–${number(max, digits)})`;
const number = (value, digits) => value.toLocaleString('en', { maximumFractionDigits: digits });
const most = (spread, limit, digits) => ({ figure: text(spread, digits), met: spread.median <= limit });
const least = (spread, limit) => ({ figure: text(spread), met: spread.median >= limit });

/**
 * Compares figures with goals.
 *
 * @returns rows of goal, figure (median of the rounds, with its spread) and whether it is met
 */
export function goals(results) {
  const of = [];
  const add = (goal, { figure, met }) => of.push({ goal, figure, met });
  const changed = results['changed-10'];
  if (changed !== undefined) {
    add('changed, 10 artifacts: at least 0.1 of the journal', least(changed.ratio, 0.1));
    add('changed, 10 artifacts: p99 at most 45 ms', most(changed.service.p99, 45, 1));
    add('changed, 10 artifacts: at most 0.45 ms of CPU', most(changed.service.cpu, 0.45));
    add('changed, 10 artifacts: writes at most 20,000 bytes', most(changed.written.each, 20_000, 0));
  }
  if (results['unchanged-10'] !== undefined) {
    add('unchanged, 10 artifacts: at least 0.4 of the server that parses', least(results['unchanged-10'].ratio, 0.4));
  }
  for (const kind of ['unchanged', 'changed']) {
    const [few, many] = [results[`${kind}-10`], results[`${kind}-1000`]];
    if (few === undefined || many === undefined) continue;
    const each = (result) => result.service.cpu.median / result.count;
    const ratio = each(many) / each(few);
    add(`${kind}: CPU per artifact at 1,000 no more than at 10`, most({ median: ratio, min: ratio, max: ratio }, 1));
  }
  if (results.growth !== undefined) {
    // Numbers in a commit vary by some digits, so a twentieth does not count as growth.
    add('one change at 10,000 artifacts: stores no more than at 10', most(results.growth.stored.ratio, 1.05));
    add('one change at 10,000 artifacts: writes no more than at 10', most(results.growth.written.ratio, 1.05));
  }
  const [reported, start] = results.history ?? [];
  const grown = [
    ...(results.pages ?? []),
    ...(results.metrics ?? []),
    ...(results.snapshots ?? []),
    ...(reported === undefined ? [] : [reported]),
  ];
  for (const { name, growth } of grown) {
    add(`${name}: p50 grows by less than 1.5×`, most(growth.p50, 1.5));
    add(`${name}: CPU grows by less than 1.5×`, most(growth.cpu, 1.5));
  }
  for (const { name, rows } of [...(start === undefined ? [] : [start]), ...(results.start ?? [])])
    add(`${name}: at most 2 s`, most(rows[0].service.p50, 2_000, 0));
  for (const { name, cpuRatio } of results.judged ?? [])
    add(`${name}: less than twice the CPU of the same without policies`, most(cpuRatio, 2));
  if (results.rebuild !== undefined)
    add('rebuild: at least 0.4 of reading the same events', least(results.rebuild.ratio, 0.4));
  if (results.packages !== undefined) {
    add('audit package: at least 0.9 of tar and gzip', least(results.packages.ratio, 0.9));
    add('audit package: takes less than 150 MB of memory beside what was there', most(results.packages.grown, 150, 0));
  }
  for (const work of results.beside === undefined ? [] : ['rebuild', 'export']) {
    const goal = `unchanged, 10 artifacts: p99 during ${work} at most 3 times that without`;
    add(goal, most(results.beside[work].ratio, 3));
  }
  const scaled = (name) => results[`scaled-${name}`];
  if (scaled('changed') !== undefined) {
    add('scaled, changed: at least 0.25 of raw inserts behind one hop', least(scaled('changed').ratio, 0.25));
    add('scaled, changed: at most 8 ms of CPU, MongoDB and Kafka included', most(scaled('changed').everything, 8));
    add('scaled, changed: p99 from commit to view below 1,000 ms', most(scaled('changed').lag, 1_000, 0));
  }
  if (scaled('unchanged') !== undefined)
    add('scaled, unchanged: at least 0.7 of raw finds behind one hop', least(scaled('unchanged').ratio, 0.7));
  if (scaled('views') !== undefined)
    add('scaled, views: at least 0.5 of a raw consumer with bulk writes', least(scaled('views').ratio, 0.5));
  if (results.idle !== undefined) add('idle below 150 MB', most(results.idle, 150, 0));
  const loaded = Object.entries(results).filter(([, result]) => result.memory !== undefined);
  for (const [name, { memory }] of loaded) {
    add(`${name}: below 400 MB under load`, most({ median: memory, min: memory, max: memory }, 400, 0));
  }
  return of;
}
