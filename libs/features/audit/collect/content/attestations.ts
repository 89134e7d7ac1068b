import type { ActorNameLookup } from '@assurance/access/lookups/actors';
import type { SbomReadAnswer } from '@assurance/contracts/evidence/answers/attestation';
import type {
  AttestationEvent,
  AttestationPayloadKept,
  AttestationReported,
} from '@assurance/contracts/evidence/events';
import { BrokenRecord, contentOf, dataOf, metaOf } from '@assurance/event-sourcing/sealing/read';
import type { DropInfo } from '@assurance/evidence/domain/retention-state';
import { beginningOf, parseDeepInSlices } from '@assurance/kernel';
import type { Commit, Engines } from '@assurance/storage-ports';
import { jsonText, type PackagedSbom, type SilentAttestation } from '../../package/manifest';
import { baseName, numberedName, PATH_MAX, safePart } from '../../package/names';
import type { EvidenceRow } from '../../package/pdf/report';
import { type PackageFile, textFile } from '../../package/write';
import { PAYLOAD } from './chain';
import { type DroppedEvidence, describeRule } from './dropped-evidence';
import type { Record, Recorded } from './recorded';
import { emptyResultOf } from './empty-result';

/** The most characters of a description that the report shows. */
const NOTE_MAX = 1_000;
const NAME_MAX = 40;

/** Writes the files of attestations commit by commit, and collects the rows that the report shows. */
export class AttestationFiles {
  readonly rows: EvidenceRow[] = [];
  readonly silentAttestations: SilentAttestation[] = [];
  readonly sboms: PackagedSbom[] = [];
  private readonly numbers: ReadonlyMap<string, number>;

  constructor(
    private readonly engines: Pick<Engines, 'events' | 'blobs'>,
    private readonly record: Pick<Record, 'attestations' | 'countingIds'>,
    private readonly droppedEvidence: DroppedEvidence,
    private readonly nameOf: ActorNameLookup,
  ) {
    this.numbers = new Map(record.attestations.map(({ data }, i) => [data.id, i + 1]));
  }

  /** The files of the attestations in a commit that belong to the package. */
  async *filesOf(commit: Commit): AsyncGenerator<PackageFile> {
    for (const [i, event] of commit.events.entries()) {
      if (event.type !== ('AttestationReported' satisfies AttestationEvent['type'])) continue;
      const data = JSON.parse(await dataOf(this.engines.events, commit, event)) as AttestationReported['data'];
      const number = this.numbers.get(data.id);
      if (number !== undefined) yield* this.files(commit, i, data, number);
    }
  }

  private async *files(
    commit: Commit,
    index: number,
    data: AttestationReported['data'],
    number: number,
  ): AsyncGenerator<PackageFile> {
    const folder = `attestations/${numberedName(number, 5, safePart(data.name, NAME_MAX))}`;
    const payloadEvent = commit.events[index + 1];
    if (payloadEvent?.type !== PAYLOAD) throw new BrokenRecord(`attestation ${data.id} came without its payload`);
    // The payload is written byte for byte as it was recorded, because its digest is in the commit.
    const rules = {
      payload: this.droppedEvidence.rule(data.id, 'payloads'),
      attachments: this.droppedEvidence.rule(data.id, 'attachments'),
    };
    const text = rules.payload === null ? await dataOf(this.engines.events, commit, payloadEvent) : null;
    const doc: PayloadFields = text === null ? NO_PAYLOAD : ((await parseDeepInSlices(text)) as PayloadFields);
    const payload = { path: `${folder}/payload.json`, sha256: payloadEvent.digest, size: payloadEvent.size };
    const attachments = data.attachments.map(({ filename, sha256, size }, i) => {
      const room = PATH_MAX - folder.length - '/files/001-'.length;
      const name = safePart(baseName(filename), Math.min(room, NAME_MAX), 'end');
      return { filename, path: `${folder}/files/${numberedName(i + 1, 3, name)}`, sha256, size };
    });
    const by = await this.nameOf(commit.actor);
    const recordedEvent = { data, meta: metaOf(commit) };
    const counts = this.record.countingIds.has(data.id);
    const silence = text === null ? null : emptyResultOf(data.type, doc.payload);
    if (silence !== null) {
      this.silentAttestations.push({ attestation: data.id, name: data.name, type: data.type, says: silence });
    }
    yield textFile(
      `${folder}/attestation.json`,
      jsonText({
        ...attestationJson(recordedEvent, doc, by, counts, payload, attachments),
        ...(silence === null ? {} : { says: silence }),
        ...droppedFiles(rules),
      }),
    );
    if (text !== null) yield { ...textFile(payload.path, text), sha256: payload.sha256 };
    for (const { path, sha256, size } of rules.attachments === null ? attachments : [])
      yield { path, size, sha256, content: contentOf(this.engines.blobs, commit.org, sha256) };
    const [document] = attachments;
    if (data.type === 'sbom' && document !== undefined) {
      const path = rules.attachments === null ? document.path : null;
      this.sboms.push({ ...sbomOf(data, doc.payload, { ...document, path }), newest_of_its_name: counts });
    }
    this.rows.push({
      id: data.id,
      name: data.name,
      type: data.type,
      about: attestationSubject(data),
      compliant: data.compliant,
      silence,
      counts,
      at: commit.at,
      by,
      note: noteOf(doc),
      file: fileForReport(payload, rules.payload),
      attachments: attachments.map((attachment) => fileForReport(attachment, rules.attachments)),
    });
  }
}

/** @param payload the recorded payload */
function sbomOf(
  { id, name, target, components }: AttestationReported['data'],
  payload: PayloadFields['payload'],
  { path, sha256 }: { readonly path: string | null; readonly sha256: string },
): Omit<PackagedSbom, 'newest_of_its_name'> {
  const { format, tools } = (payload['sbom'] ?? {}) as Partial<SbomReadAnswer>;
  return {
    attestation: id,
    name,
    artifact: target.kind === 'artifact' ? target.fingerprint : null,
    document: path,
    sha256,
    format: format ?? null,
    tools: tools ?? [],
    components: components === undefined ? null : { listed: components.listed, left: components.left },
  };
}

type PayloadFields = Pick<AttestationPayloadKept['data'], 'description' | 'annotations' | 'externalUrls' | 'payload'>;

/** The payload fields that are shown if retention dropped the payload. */
const NO_PAYLOAD: PayloadFields = { description: null, annotations: {}, externalUrls: {}, payload: {} };

/** The rules that dropped files of the attestation; an empty object if no file is missing. */
function droppedFiles(rules: { readonly payload: DropInfo | null; readonly attachments: DropInfo | null }): object {
  const dropped = [rules.payload, rules.attachments].flatMap((rule) => (rule === null ? [] : [describeRule(rule)]));
  return dropped.length === 0 ? {} : { dropped };
}

/** A file in the form of the report. If a rule dropped it, the path says so. */
function fileForReport<File extends { readonly path: string }>(file: File, rule: DropInfo | null): File {
  return rule === null ? file : { ...file, path: `dropped by retention (older than ${rule.days} days)` };
}

function attestationJson(
  { data, meta }: Recorded<AttestationReported>,
  { description, annotations, externalUrls }: PayloadFields,
  by: string,
  counts: boolean,
  payload: object,
  attachments: readonly object[],
): object {
  const { id, name, type, countsAs, compliant, target, previous, overriddenId, typeVersion, control } = data;
  return {
    id,
    name,
    type,
    counts_as: countsAs,
    compliant,
    about: target,
    when: new Date(meta.at).toISOString(),
    by_whom: { id: meta.actor, name: by },
    recorded: { stream: meta.stream, seq: meta.seq },
    newest_of_its_name: counts,
    previous,
    overrides: overriddenId,
    type_version: typeVersion,
    control,
    git_commit: data.commit,
    repository: data.repo,
    origin_url: data.originUrl,
    description,
    annotations,
    external_urls: externalUrls,
    payload,
    attachments,
  };
}

/** The subject of an attestation for readers: the artifact's file name, if it is known. */
export function attestationSubject({ target }: Pick<AttestationReported['data'], 'target'>): EvidenceRow['about'] {
  switch (target.kind) {
    case 'trail':
      return null;
    case 'artifact':
      return { name: target.filename, fingerprint: target.fingerprint };
    case 'awaited':
      return { name: target.template, fingerprint: null };
  }
}

function noteOf({ description, payload }: PayloadFields): string | null {
  const { reason } = payload;
  const note = typeof reason === 'string' ? reason : description;
  return note === null || note === '' ? null : beginningOf(note, NOTE_MAX);
}
