import type { Subject } from '@assurance/audit-package-package';
import type { Flow } from '@assurance/model';

/** The scope of a package: a whole stream, or the events about one artifact or one attestation. */
export interface Scope {
  readonly what: Subject;
  readonly org: { readonly id: string; readonly name: string };
  readonly flow: Flow;
  /** Of the trail, or of the artifact that was reported without one. */
  readonly stream: string;
  /** Of this artifact alone; null: of every one, or with an attestation of none. */
  readonly fingerprint: string | null;
  /** Id: this attestation alone. */
  readonly attestation: string | null;
}
