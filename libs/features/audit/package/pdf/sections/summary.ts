import { plausibleTime } from '@assurance/kernel';
import { BODY, PAGE, STATUS_COLORS, STYLES } from '../page/look';
import type { Paper } from '../page/paper';
import { type Band, openTable } from '../page/table';
import type { AuditReport, ReportSubject } from '../report';
import { moment, reasons, emptyResultTexts, STATUS } from '../words';

const NAME = 110;

/** Explanations for readers who do not know the terms. */
const ABOUT: Readonly<Record<ReportSubject['kind'], string>> = {
  trail:
    'This is what was recorded of one trail, that is of one run through a process that builds and checks software: what was built, how it was checked, where it ran, and by which rules.',
  artifact:
    'This is what was recorded of one artifact, that is of one thing that was built and can run: how it was checked, where it ran, and by which rules.',
  attestation:
    'This is what was recorded of one attestation, that is of one statement on what was built: what it says, its files, and where that ran which it is about.',
};

/** Draws the first page: the subject of the package, the verdict and its reasons. */
export function summary(paper: Paper, report: AuditReport): void {
  const { verdict } = report;
  paper.text('Audit report', STYLES.title, 'H1');
  paper.y += 4;
  paper.text(ABOUT[report.what.kind]);
  paper.y += 10;
  paper.section('Summary');
  paper.drawDecoration(() =>
    paper.fillRectangle(PAGE.left, paper.y, 4, STYLES.verdict.size * 1.35, STATUS_COLORS[verdict.status]),
  );
  paper.text(`  ${STATUS[verdict.status]}`, { ...STYLES.verdict, color: STATUS_COLORS[verdict.status] });
  paper.y += 4;
  for (const reason of reasons(verdict)) paper.text(reason);
  for (const silence of emptyResultTexts(report.silent)) paper.text(silence);
  paper.y += 10;
  const table = openTable(paper, [
    { title: 'What', width: NAME },
    { title: 'As recorded', width: BODY - NAME },
  ]);
  for (const [name, text] of facts(report)) table.row([factBand(name, text)]);
  table.end();
}

function factBand(name: string, text: string): Band {
  return [
    { texts: [{ text: name, style: STYLES.strong }], width: NAME },
    { texts: [{ text, style: STYLES.cell }], width: BODY - NAME },
  ];
}

/** The known details. Unknown ones are left out. */
function facts(report: AuditReport): [string, string][] {
  const { what, commit, repository, service } = report;
  const commitTime = plausibleTime(commit?.timestamp);
  const all: [string, string | null | undefined][] = [
    ['Organization', report.organization],
    ['Flow', report.flow],
    ['Trail', report.trail],
    ['Artifact', what.kind === 'artifact' ? what.name : null],
    ['Fingerprint', what.kind === 'artifact' ? what.fingerprint : null],
    ['Attestation', what.kind === 'attestation' ? what.name : null],
    ['Attestation id', what.kind === 'attestation' ? what.id : null],
    ['Description', report.description],
    ['Git commit', commit?.sha1],
    ['Commit message', commit?.message],
    ['Commit author', commit?.author],
    ['Branch', commit?.branch],
    ['Committed', commitTime === null ? null : moment(commitTime * 1_000)],
    ['Commit URL', commit?.url],
    ['Repository', repository === null ? null : `${repository.name} (${repository.url})`],
    ['Newest event', `${moment(report.at)}, caused by ${report.by}`],
    ['Recorded by', `${service.url}${service.region === null ? '' : ` (region ${service.region})`}`],
  ];
  return all.flatMap(([name, text]) => (text == null || text === '' ? [] : [[name, text]]));
}
