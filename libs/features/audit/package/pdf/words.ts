import type { TrailState } from '@assurance/flows/domain/requirements';
import { isoOf } from '@assurance/kernel';
import type { AllowanceRow, ArtifactRow, AuditReport, ReportEvent, Requirement, Verdict } from './report';

/** Such as `2026-11-21 18:45:27 UTC`. */
export function moment(at: number): string {
  const iso = isoOf(at);
  return iso.endsWith('Z') ? `${iso.replace('T', ' ').replace(/\.\d+Z$/, '')} UTC` : iso;
}

/** Such as `1,234 bytes`. */
export function bytes(size: number): string {
  return countText(size, 'byte');
}

/** Such as `1 file` or `1,200 files`. */
export function countText(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

export const STATUS: Readonly<Record<TrailState, string>> = {
  COMPLIANT: 'Compliant',
  'NON-COMPLIANT': 'Not compliant',
  INCOMPLETE: 'Incomplete',
};

export function verdictText(compliant: boolean | null): string {
  return compliant === null ? 'Not judged' : compliant ? 'Compliant' : 'Not compliant';
}

/** Tells who allowed an artifact, when, why and until when. */
export function allowanceText({ by, at, why, until }: AllowanceRow): string {
  const reason = why === '' ? 'No reason was given.' : `Reason: ${why}`;
  return `Allowed by ${by} at ${moment(at)}, ${until === null ? 'without an end' : `until ${moment(until)}`}. ${reason}`;
}

/** The most reasons that are listed. */
const REASONS_MAX = 40;

/** The reasons of a verdict: first failures, then missing parts. */
export function reasons({ status, requirements, missingArtifacts }: Verdict): string[] {
  const failedRequirements = requirements.filter(({ compliant }) => compliant === false);
  const missingRequirements = requirements.filter(({ compliant }) => compliant === null);
  const all = [
    ...failedRequirements.map(
      (requirement) =>
        `${requirementText(requirement)} is not compliant${requirement.unexpected ? ', and nothing asks for it' : ''}.`,
    ),
    ...missingArtifacts.map((name) => `Artifact “${name}” was not reported.`),
    ...missingRequirements.map((requirement) => `${requirementText(requirement)} is missing.`),
  ];
  if (all.length > 0) {
    const moreCount = all.length - REASONS_MAX;
    return moreCount > 0 ? [...all.slice(0, REASONS_MAX), `And ${countText(moreCount, 'more reason')}.`] : all;
  }
  if (status !== 'COMPLIANT') return [];
  const metCount = requirements.filter(({ unexpected }) => !unexpected).length;
  if (metCount === 0) return ['Nothing was asked for, and nothing that was attested is non-compliant.'];
  return [`All that was asked for is there and compliant: ${countText(metCount, 'attestation')}.`];
}

/** The texts about attestations that checked nothing, because the absence of failures is no proof. */
export function emptyResultTexts(silentRows: AuditReport['silent']): string[] {
  const moreCount = silentRows.length - REASONS_MAX;
  return [
    ...silentRows
      .slice(0, REASONS_MAX)
      .map(({ name, silence }) =>
        silence === 'no test ran'
          ? `In attestation “${name}” no test ran: it counts as compliant because nothing failed.`
          : `Attestation “${name}” has no result: it counts as compliant because nothing was found.`,
      ),
    ...(moreCount > 0 ? [`And ${countText(moreCount, 'more attestation')} without a result.`] : []),
  ];
}

function requirementText({ artifact, name, type }: Requirement): string {
  const kind = type === '*' ? '' : ` (${type})`;
  return `Attestation “${name}”${kind}${artifact === null ? '' : ` of artifact “${artifact}”`}`;
}

export function eventText(event: ReportEvent): string {
  switch (event.kind) {
    case 'begun':
      return 'The trail began.';
    case 'updated':
      return `The trail was changed: ${event.fields.join(', ')}.`;
    case 'artifact':
      return `Artifact “${event.name}” was reported.`;
    case 'attested':
      return `Attestation “${event.name}” (${event.type})${textAbout(event.about)}: ${verdictText(event.compliant).toLowerCase()}.`;
    case 'overridden':
      return `Attestation “${event.name}”${textAbout(event.about)} was overridden: now ${verdictText(event.compliant).toLowerCase()}.`;
    case 'started':
      return `Artifact “${event.artifact}” started in environment “${event.environment}”, snapshot ${event.snapshot}.`;
    case 'exited':
      return `Artifact “${event.artifact}” no longer ran in environment “${event.environment}”, snapshot ${event.snapshot}.`;
  }
}

function textAbout(artifact: string | null): string {
  return artifact === null ? '' : ` on artifact “${artifact}”`;
}

/** The name of an artifact in its template. */
export function templateNameText({ template }: ArtifactRow): string {
  return template === null ? '' : `as “${template}”`;
}
