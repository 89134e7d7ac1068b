import type { Limits } from '@assurance/event-sourcing/tokens';

/** The limits of an installation that sets none. */
export const DEFAULT_LIMITS: Limits = {
  bodyBytes: 32 * 1024 * 1024,
  evidenceBytes: 16 * 1024 * 1024,
  artifactsPerReport: 20_000,
  attachmentBytes: 256 * 1024 * 1024,
  requestsAtOnce: 1_000,
  bodyBytesAtOnce: 128 * 1024 * 1024,
  perMinute: { key: 600_000, organization: 1_200_000 },
  wrongKeysPerMinute: 300,
  storedBytes: { events: 50 * 1024 ** 3, attachments: 200 * 1024 ** 3 },
  perOrganization: {
    attestationTypes: 1_000,
    controls: 5_000,
    policies: 500,
    environments: 5_000,
    flows: 5_000,
    repositories: 20_000,
    spaces: 500,
  },
};
