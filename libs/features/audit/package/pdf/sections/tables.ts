import type { ListedFile } from '../../manifest';
import { BODY, GREEN, GREY, RED, STATUS_COLORS, STYLES } from '../page/look';
import type { Band, Text } from '../page/table';
import type { ArtifactRow, DeploymentRow, EvidenceRow, PolicyRow, SbomRow, TimelineRow, VexRow } from '../report';
import { allowanceText, bytes, templateNameText, countText, eventText, verdictText, moment, STATUS } from '../words';
import type { Listing } from './rows';

/** The width of a column with 64 digits, in points. */
const DIGEST = 258;
/** The most files, and the most verdicts, that one row shows. */
const PARTS_MAX = 20;

export const timeline: Listing<TimelineRow> = {
  title: 'Timeline',
  noun: 'event',
  none: 'Nothing happened.',
  rest: 'All of them are in events/.',
  columns: columns(['When', 118], ['What happened', 281], ['Who', 0]),
  bands: ({ at, by, what }) => [
    bandOf(
      [118, cell(moment(at))],
      [281, cell(eventText(what))],
      [0, by === null ? smallText('recorded by the service') : cell(by)],
    ),
  ],
};

export const evidence: Listing<EvidenceRow> = {
  title: 'Evidence',
  noun: 'attestation',
  none: 'Nothing was attested.',
  rest: 'All of them are in attestations/.',
  columns: columns(['Attestation', 170], ['About', 118], ['Verdict', 85], ['Recorded', 0]),
  bands: ({ name, type, about, compliant, silence, counts, at, by, note, file, attachments }) => [
    bandOf(
      [170, { text: name, style: STYLES.strong }, smallText(type)],
      [118, cell(about === null ? 'the trail' : about.name)],
      [
        85,
        verdict(compliant),
        ...(silence === null ? [] : [smallText(silence)]),
        ...(counts ? [] : [smallText('replaced by a newer one')]),
      ],
      [0, cell(moment(at)), smallText(`by ${by}`)],
    ),
    ...(note === null || note === '' ? [] : [bandOf([0, cell(note)])]),
    ...limitBands(
      [fileBand(file), ...attachments.map((attachment) => fileBand(attachment, attachment.filename))],
      'attachment',
    ),
  ],
};

export const artifacts: Listing<ArtifactRow> = {
  title: 'Artifacts',
  noun: 'artifact',
  none: 'No artifact was reported.',
  rest: 'All of them are in artifacts/.',
  columns: columns(['Artifact', 288], ['Verdict', 85], ['Reported', 0]),
  bands: (row) => [
    bandOf(
      [288, { text: row.name, style: STYLES.strong }, smallText(templateNameText(row))],
      [85, { text: STATUS[row.status], style: { ...STYLES.strong, color: STATUS_COLORS[row.status] } }],
      [0, cell(moment(row.at)), smallText(`by ${row.by}`)],
    ),
    digestBand('Fingerprint (SHA-256)', row.fingerprint),
    ...(row.gitCommit === null ? [] : [digestBand('Git commit', row.gitCommit)]),
    ...(row.buildUrl === null || row.buildUrl === '' ? [] : [bandOf([0, smallText(`Built by ${row.buildUrl}`)])]),
  ],
};

/** The most tools, and the most components, that a row names. */
const [TOOLS_MAX, PURLS_MAX] = [3, 3];

export const components: Listing<SbomRow> = {
  title: 'Components',
  noun: 'bill of materials',
  none: 'No bill of materials (SBOM) is attested: the package does not say of which components the artifacts consist.',
  rest: 'All of them are in attestations/.',
  columns: columns(['SBOM', 140], ['Artifact', 118], ['Components', 127], ['Made by', 0]),
  bands: ({ name, about, format, components: counts, tools, document, sha256, newest_of_its_name: isNewest }) => [
    bandOf(
      [
        140,
        { text: name, style: STYLES.strong },
        smallText(format ?? ''),
        ...(isNewest ? [] : [smallText('replaced by a newer one')]),
      ],
      [118, cell(about ?? 'the trail')],
      [127, ...countsOf(counts)],
      [0, ...tools.slice(0, TOOLS_MAX).map(smallText), ...moreTools(tools.length - TOOLS_MAX)],
    ),
    bandOf([0, smallText(document ?? 'dropped by retention')], [DIGEST, { text: sha256, style: STYLES.digest }]),
  ],
};

function countsOf(counts: SbomRow['components']): Text[] {
  if (counts === null) return [smallText('not recorded')];
  const listed = cell(countText(counts.listed, 'component'));
  return counts.left === 0 ? [listed] : [listed, smallText(`incomplete: ${counts.left} more are not recorded`)];
}

function moreTools(count: number): Text[] {
  return count > 0 ? [smallText(`and ${countText(count, 'more tool')}`)] : [];
}

export const vex: Listing<VexRow> = {
  title: 'VEX statements',
  noun: 'statement',
  none: 'No imported VEX statement is about a vulnerability of components in these SBOMs.',
  rest: 'More of them are in vex.json.',
  columns: columns(['Vulnerability', 140], ['Artifact', 118], ['State', 127], ['Said by', 0]),
  bands: ({ vulnerability, artifact, components: purls, status, justification, by, at, holds, document }) => [
    bandOf(
      [
        140,
        { text: vulnerability, style: STYLES.strong },
        ...purls.slice(0, PURLS_MAX).map(smallText),
        ...morePurls(purls),
      ],
      [118, cell(artifact)],
      [
        127,
        cell(status.replaceAll('_', ' ')),
        smallText((justification ?? '').replaceAll('_', ' ')),
        ...(holds ? [] : [smallText('replaced by a later one')]),
      ],
      [0, cell(by ?? 'nobody named'), smallText(at === null ? '' : moment(Date.parse(at)))],
    ),
    bandOf(
      [0, smallText(`${document.filename}, imported ${moment(Date.parse(document.when))} by ${document.by_whom.name}`)],
      [DIGEST, { text: document.sha256, style: STYLES.digest }],
    ),
  ],
};

function morePurls({ length }: VexRow['components']): Text[] {
  return length > PURLS_MAX ? [smallText(`and ${countText(length - PURLS_MAX, 'more component')}`)] : [];
}

export const deployments: Listing<DeploymentRow> = {
  title: 'Deployments',
  noun: 'deployment',
  none: 'As far as the service was told, none of it ran anywhere.',
  rest: 'All of them are in artifacts/.',
  columns: columns(['Environment', 115], ['Artifact', 103], ['Since', 106], ['Until', 106], ['Verdict there', 0]),
  bands: ({ environment, environmentType, snapshot, artifact, fingerprint, since, until, compliant, allowance }) => [
    bandOf(
      [115, { text: environment, style: STYLES.strong }, smallText(`${environmentType}, snapshot ${snapshot}`)],
      [103, cell(artifact)],
      [106, cell(moment(since))],
      [106, cell(until === null ? 'still running' : moment(until))],
      [0, verdict(compliant)],
    ),
    ...(allowance === null ? [] : [bandOf([0, smallText(allowanceText(allowance))])]),
    digestBand('Fingerprint (SHA-256)', fingerprint),
  ],
};

export const policies: Listing<PolicyRow> = {
  title: 'Policies in force',
  noun: 'policy version',
  none: 'No policy judged what ran.',
  rest: 'All of them are in policies/.',
  columns: columns(['Policy or environment', 170], ['Artifact', 170], ['Verdict', 0]),
  bands: ({ name, version, file, verdicts }) => [
    bandOf([0, { text: `${name}, version ${version}`, style: STYLES.strong }]),
    fileBand(file),
    ...limitBands(
      verdicts.map(({ environment, snapshot, artifact, compliant, allowed: isAllowed, allowance, reasons }) =>
        bandOf(
          [170, cell(environment), smallText(`snapshot ${snapshot}`)],
          [170, cell(artifact)],
          [
            0,
            verdict(compliant),
            ...(isAllowed ? [smallText(allowance === null ? 'on the allow-list' : allowanceText(allowance))] : []),
            ...reasons.map(smallText),
          ],
        ),
      ),
      'verdict',
    ),
  ],
};

function columns(...all: readonly (readonly [string, number])[]) {
  return fillWidths(all.map(([title, width]) => ({ title, width })));
}

function bandOf(...all: readonly (readonly [number, ...Text[]])[]): Band {
  return fillWidths(all.map(([width, ...texts]) => ({ texts: texts.filter(({ text }) => text !== ''), width })));
}

/** Gives the remaining width to the column that has none. */
function fillWidths<Part extends { readonly width: number }>(parts: readonly Part[]): Part[] {
  const rest = BODY - parts.reduce((sum, { width }) => sum + width, 0);
  return parts.map((part) => (part.width === 0 ? { ...part, width: rest } : part));
}

function cell(text: string): Text {
  return { text, style: STYLES.cell };
}

function smallText(text: string): Text {
  return { text, style: STYLES.small };
}

function verdict(compliant: boolean | null): Text {
  const color = compliant === null ? GREY : compliant ? GREEN : RED;
  return { text: verdictText(compliant), style: { ...STYLES.strong, color } };
}

function digestBand(label: string, digits: string): Band {
  return bandOf([0, smallText(label)], [DIGEST, { text: digits, style: STYLES.digest }]);
}

/** A file with its digest. `called` is the name that the client used. */
function fileBand({ path, size, sha256 }: ListedFile, called?: string): Band {
  const file = smallText(`${path}, ${bytes(size)}`);
  return bandOf(
    [0, ...(called === undefined ? [] : [cell(`Attachment “${called}”`)]), file],
    [DIGEST, { text: sha256, style: STYLES.digest }],
  );
}

function limitBands(bands: readonly Band[], noun: string): Band[] {
  const more = bands.length - PARTS_MAX;
  return more > 0
    ? [...bands.slice(0, PARTS_MAX), bandOf([0, smallText(`and ${countText(more, `more ${noun}`)}`)])]
    : [...bands];
}
