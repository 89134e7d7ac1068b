import type {
  AttestationTypeAnswer,
  AttestationTypeListItem,
  AttestationTypeVersionAnswer,
} from '@assurance/contracts/evidence/answers/attestation-type';
import type { AttestationType, CreationInfo } from '@assurance/contracts/evidence/documents';
import type { AttestationTypeVersion } from '../../domain/attestation-type';

/** Names of users and service accounts, by id. */
export type Names = ReadonlyMap<string, string>;

const nameOf = (names: Names, { by }: CreationInfo) => names.get(by) ?? by;

/** A type in the list. */
export function attestationTypeListItem(org: string, type: AttestationType, names: Names): AttestationTypeListItem {
  const versions = type.versions.map((version, i) => ({
    version: i + 1,
    timestamp: version.at / 1000,
    created_by: nameOf(names, version),
  }));
  return { ...fieldsOf(org, type), ...lifeOf(type, names), versions: versions.reverse() };
}

/** One type with some of its versions. */
export function attestationTypeAnswer(
  org: string,
  type: AttestationType,
  versions: readonly AttestationTypeVersion[],
  names: Names,
): AttestationTypeAnswer {
  return { ...versionsAnswer(org, type, versions, names), ...lifeOf(type, names) };
}

/** The same without creator and creation time. This is the answer for one version. */
export function versionsAnswer(
  org: string,
  type: AttestationType,
  versions: readonly AttestationTypeVersion[],
  names: Names,
): AttestationTypeAnswer {
  return { ...fieldsOf(org, type), versions: versions.map((version) => versionAnswer(version, names)) };
}

function versionAnswer(attestationTypeVersion: AttestationTypeVersion, names: Names): AttestationTypeVersionAnswer {
  const { version, at, schema, rules, summary } = attestationTypeVersion;
  return {
    version,
    timestamp: at / 1000,
    created_by: nameOf(names, attestationTypeVersion),
    type_schema: schema,
    evaluator: rules.length === 0 ? null : { content_type: 'jq', rules },
    summary,
  };
}

function fieldsOf(org: string, { name, archived, description }: AttestationType) {
  return { name, org, archived, ...(description === null ? {} : { description }) };
}

function lifeOf({ versions: [first], lastModifiedAt }: AttestationType, names: Names) {
  if (first === undefined) throw new Error('a type has a version from the beginning');
  return { created_by: nameOf(names, first), created_at: first.at / 1000, last_modified_at: lastModifiedAt / 1000 };
}
