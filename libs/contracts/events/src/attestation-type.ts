import type { DomainEvent } from './event';

/** A jq program whose value is shown under a name. */
export interface SummaryLine {
  readonly name: string;
  readonly expression: string;
}

/** The rules that a version of a custom attestation type applies to data. */
export interface AttestationTypeDemands {
  /** A JSON schema; null: any data will do. */
  readonly schema: Readonly<Record<string, unknown>> | null;
  /** jq programs, each of which must yield true. */
  readonly rules: readonly string[];
  /** As it was sent; null where nothing was. */
  readonly summary: readonly SummaryLine[] | null;
}

/** Version 1. */
export interface AttestationTypeCreated extends DomainEvent<'AttestationTypeCreated', 1> {
  readonly data: {
    readonly id: string;
    readonly name: string;
    /** Null where there is none. */
    readonly description: string | null;
  } & AttestationTypeDemands;
}
/** The next version; holds a description where that changed. */
export interface AttestationTypeRevised extends DomainEvent<'AttestationTypeRevised', 1> {
  readonly data: { readonly version: number; readonly description?: string } & AttestationTypeDemands;
}
export type AttestationTypeArchived = DomainEvent<'AttestationTypeArchived', 1, Record<never, never>>;
export type AttestationTypeRevived = DomainEvent<'AttestationTypeRevived', 1, Record<never, never>>;
export type AttestationTypeEvent =
  AttestationTypeCreated | AttestationTypeRevised | AttestationTypeArchived | AttestationTypeRevived;
