/** Formats a text table with aligned columns. */
function table(head, rows) {
  const lines = [head, ...rows].map((row) => row.map((cell) => String(cell ?? '-')));
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  return lines
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const time = (seconds) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
const short = (hash) => hash?.slice(0, 12);

/** Formats the organization's deployments, newest first, as the API lists them. */
export function organizationTable(deployments) {
  return table(
    ['deployed at', 'environment', 'snapshot', 'fingerprint', 'lead time (s)', 'artifact'],
    deployments.map((each) => [
      time(each.deployed_at),
      each.env_name,
      each.snapshot_index,
      short(each.fingerprint),
      each.lead_time?.toLocaleString('en'),
      each.artifact_name,
    ]),
  );
}

/** Formats the deployments of one repository. */
export function repositoryTable(deployments) {
  return table(
    ['deployed at', 'environment', 'snapshot', 'fingerprint', 'commit', 'replaced', 'compare'],
    deployments.map((each) => [
      time(each.deployed_at),
      each.env_name,
      each.snapshot_index,
      short(each.fingerprint),
      short(each.commit?.sha1),
      short(each.replaced_artifact?.fingerprint),
      each.diff_url,
    ]),
  );
}

/** Formats one comparison. */
export function line({ what, recorded, got, same }) {
  return same
    ? `ok       ${what}: ${cut(JSON.stringify(recorded))}`
    : `DIFFERS  ${what}\n           recorded  ${JSON.stringify(recorded)}\n           got       ${JSON.stringify(got)}`;
}

const cut = (text) => (text.length > 100 ? `${text.slice(0, 99)}…` : text);
