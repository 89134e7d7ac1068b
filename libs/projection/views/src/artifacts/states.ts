import { kindOf } from '@assurance/contracts-events';
import {
  artifactStatus,
  type Flow,
  flowTemplates,
  looseArtifact,
  type ProvenanceDocument,
  trail as trails,
  type TrailState,
} from '@assurance/model-flow';
import type { Documents } from '@assurance/storage-ports';
import { BrokenRecord } from '@assurance/storage-records';
import { flowsById } from '../trails/list';

/** Reports of artifacts with what lists show of each. */
export interface Judged {
  readonly report: ProvenanceDocument;
  /** As it is now. */
  readonly flow: Flow;
  /** Against the template of its trail; of its flow, where it was reported without one. */
  readonly state: TrailState;
}

/** Judges up to 1,000 reports in a handful of reads. */
export async function judged(documents: Documents, reports: readonly ProvenanceDocument[]): Promise<Judged[]> {
  const flows = await flowsById(
    documents,
    reports.map(({ first }) => first.flow.id),
  );
  const heads = await documents
    .collection(trails.heads)
    .getMany(
      distinct(reports.filter(({ stream }) => kindOf(stream) !== looseArtifact.kind).map(({ stream }) => stream)),
    );
  const flowOf = ({ first }: ProvenanceDocument) => there(flows.get(first.flow.id), first.flow.id);
  const templateIdOf = (report: ProvenanceDocument) =>
    kindOf(report.stream) === looseArtifact.kind
      ? flowOf(report).templateId
      : there(heads.get(report.stream), report.stream).templateId;
  const templates = await documents.collection(flowTemplates).getMany(distinct(reports.map(templateIdOf)));
  return reports.map((report) => {
    const { template } = there(templates.get(templateIdOf(report)), templateIdOf(report));
    const { artifactId, template: name } = report.first;
    const { status } = artifactStatus(template, { fingerprint: report.fingerprint, artifactId, template: name });
    return { report, flow: flowOf(report), state: status };
  });
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)];
}

function there<T>(found: T | undefined, what: string): T {
  if (found === undefined) throw new BrokenRecord(`${what} of an artifact is gone`);
  return found;
}
