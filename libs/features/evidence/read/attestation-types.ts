import { actorsOf } from '@assurance/access/lookups/actors';
import { WHOLE_LIST_MAX } from '@assurance/contracts/environments/answers/catalogue';
import { orderBy } from '@assurance/contracts/events/aggregate';
import type {
  AttestationTypeAnswer,
  AttestationTypeListItem,
} from '@assurance/contracts/evidence/answers/attestation-type';
import type { CreationInfo } from '@assurance/contracts/evidence/documents';
import { queryOf } from '@assurance/event-sourcing/message';
import type { Refusal } from '@assurance/http';
import { queryBy, ReadingHandler } from '@assurance/http/queries';
import type { Caller } from '@assurance/http/query-caller';
import { err, ok, type Result } from '@assurance/kernel';
import type { Documents } from '@assurance/storage-ports';
import { type IQueryHandler, QueryHandler, type QueryResult } from '@nestjs/cqrs';
import { attestationType, attestationTypeVersions, versionId } from '../domain/attestation-type';
import { findAttestationType } from '../lookups/attestation-types';
import { attestationTypeAnswer, attestationTypeListItem, type Names, versionsAnswer } from './attestation-types/answer';

/** Lists custom attestation types by name. Archived types are left out. */
export class ListAttestationTypes extends queryOf<{ caller: Caller }, AttestationTypeListItem[]>() {}

@QueryHandler(ListAttestationTypes)
export class ListAttestationTypesHandler extends ReadingHandler implements IQueryHandler<ListAttestationTypes> {
  async execute({ caller: { org } }: ListAttestationTypes): Promise<AttestationTypeListItem[]> {
    const results = await this.ports.documents.collection(attestationType.states).find({
      where: { org: org.id, archived: false },
      order: orderBy('name'),
      limit: WHOLE_LIST_MAX,
    });
    const versions = results.flatMap(({ doc }) => doc.versions);
    const names = await namesOf(this.ports.documents, versions);
    return results.map(({ doc }) => attestationTypeListItem(org.name, doc, names));
  }
}

/** Gets one custom attestation type, even if it is archived, with all versions or one. */
export class GetAttestationType extends queryBy<
  { name: string; version: number | undefined },
  Result<AttestationTypeAnswer, Refusal>
>() {}

@QueryHandler(GetAttestationType)
export class GetAttestationTypeHandler extends ReadingHandler implements IQueryHandler<GetAttestationType> {
  async execute({ caller: { org }, name, version }: GetAttestationType): Promise<QueryResult<GetAttestationType>> {
    const result = await findAttestationType(this.ports, org, name);
    if (!result.ok) return result;
    const type = result.value;
    const all = type.versions.map((_, i) => i + 1).reverse();
    const requestedVersions = version === undefined ? all : all.filter((number) => number === version);
    if (version !== undefined && requestedVersions.length === 0) {
      return err({ kind: 'attestation-type-version-unknown', name, version });
    }
    const ids = requestedVersions.map((number) => versionId(type.id, number));
    const storedVersions = await this.ports.documents.collection(attestationTypeVersions).getMany(ids);
    const versions = ids.map((id) => {
      const attestationTypeVersion = storedVersions.get(id);
      if (attestationTypeVersion === undefined) throw new Error(`version ${id} of an attestation type is gone`);
      return attestationTypeVersion;
    });
    const names = await namesOf(this.ports.documents, type.versions);
    return ok((version === undefined ? attestationTypeAnswer : versionsAnswer)(org.name, type, versions, names));
  }
}

async function namesOf(documents: Documents, all: readonly CreationInfo[]): Promise<Names> {
  const nameOf = actorsOf(documents);
  return new Map(await Promise.all(all.map(async ({ by }) => [by, await nameOf(by)] as const)));
}
