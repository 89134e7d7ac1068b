import { type AttestationTypeEvent, streams } from '@assurance/contracts-events';
import { decideArchiveAttestationType } from '@assurance/ingestion-domain';
import { no, ok, refused, type Result } from '@assurance/kernel';
import { type AttestationType, attestationType, type FeatureRefusal } from '@assurance/model';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { commandBy } from '../commands';
import { by } from '../core/caller';
import { Register } from '../core/register';
import { Streams } from '../core/streams';

/** Archives the custom attestation type of this name. */
export class ArchiveAttestationType extends commandBy<{ name: string }>() {}

@CommandHandler(ArchiveAttestationType)
export class ArchiveAttestationTypeHandler implements ICommandHandler<ArchiveAttestationType> {
  constructor(
    private readonly streams: Streams,
    private readonly register: Register,
  ) {}

  async execute({ caller, name }: ArchiveAttestationType): Promise<Result<null, FeatureRefusal>> {
    const unknown = { kind: 'attestation-type-unknown', org: caller.org.name, name } as const;
    const id = await this.register.find(caller.org.id, 'attestation-type', name);
    if (id === null) return no(unknown);
    const ended = await this.streams.run<AttestationType, AttestationTypeEvent, FeatureRefusal>(
      attestationType,
      streams.attestationType(id),
      by(caller),
      ({ state }) => (state === null ? refused(unknown) : decideArchiveAttestationType(state)),
    );
    return ended.kind === 'refused' ? no(ended.refusal) : ok(null);
  }
}
