import { type Libraries, openPaper } from './page/paper';
import type { AuditReport, ReportSubject } from './report';
import { drawListing } from './sections/rows';
import { summary } from './sections/summary';
import { artifacts, components, deployments, evidence, policies, timeline, vex } from './sections/tables';
import { verify } from './sections/verify';
import { printableText } from './text/printable-text';
import { moment } from './words';

const OLDER = 'There were older ones, which the package leaves out.';
const PARTIAL = 'Some are left out: too many, or not compared with the components yet.';

/** Draws the report. It yields each piece as soon as it is made. */
export async function* draw(libraries: Libraries, report: AuditReport): AsyncGenerator<Buffer> {
  const subject = nameOf(report.what, report.trail);
  const paper = openPaper(libraries, {
    title: printableText(`Audit report: ${subject}`, () => true),
    subject: printableText(
      `Audit package of ${subject}, flow ${report.flow}, organization ${report.organization}`,
      () => true,
    ),
    header: `Audit report: ${subject}`,
    footer: `Flow ${report.flow} of ${report.organization}, as of ${moment(report.at)}`,
    state: report.chains.map(({ head }) => head).join(' '),
    at: report.at,
  });
  summary(paper, report);
  paper.newPage();
  const sections = [
    () => drawListing(paper, report.timeline, timeline),
    () => drawListing(paper, report.evidence, evidence),
    () => drawListing(paper, report.artifacts, artifacts),
    () => drawListing(paper, report.sboms, components),
    () => drawListing(paper, report.vex?.rows ?? [], vex, report.vex?.isComplete === false ? PARTIAL : ''),
    () => drawListing(paper, report.deployments, deployments, report.olderDeployments ? OLDER : ''),
    () => drawListing(paper, report.policies, policies),
  ];
  for (const section of sections) {
    for await (const _ of section()) yield* paper.takeBytes();
  }
  verify(paper, report.chains);
  paper.end();
  yield* paper.takeBytes();
}

function nameOf(what: ReportSubject, trail: string | null): string {
  switch (what.kind) {
    case 'trail':
      return `trail ${trail ?? ''}`;
    case 'artifact':
      return `artifact ${what.name}`;
    case 'attestation':
      return `attestation ${what.name}${trail === null ? '' : ` of trail ${trail}`}`;
  }
}
