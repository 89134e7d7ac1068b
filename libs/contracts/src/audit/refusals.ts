import { badRequest, echo, gone, notFound } from '@assurance/kernel';

export const retentionRefusals = {
  'hold-unknown': ({ scope }: { scope: string }) => notFound(`There is no hold on ${echo(scope)}`),
  'too-many-holds': ({ limit }: { limit: number }) =>
    badRequest(`An organization has at most ${limit} holds. Release one, or hold a whole flow`),
  /** Retention dropped the requested data. A retry does not help. */
  'evidence-dropped': ({ id, days, seq }: { id: string; days: number; seq: number }) =>
    gone(
      `The attachments of attestation '${echo(id)}' were dropped: the organization keeps them for ${days} days (retention event ${seq})`,
    ),
  'snapshot-dropped': ({ expression, resolved }: { expression: string; resolved: string }) =>
    gone(
      `The full state of snapshot '${echo(expression)}' (resolved to '${echo(resolved)}') was dropped by the retention of the organization. ` +
        'Its changes are still in the list of events',
    ),
};
