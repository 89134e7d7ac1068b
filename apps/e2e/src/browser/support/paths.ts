import { createHash } from 'node:crypto';

/** The demo makes the same builds each time. */
const FINGERPRINT = createHash('sha256').update('demo demo-web 2.9').digest('hex');

/** A path of every kind of page, with the demo's data. */
export const PATHS = [
  '/admin',
  '/admin/environments',
  '/admin/environments/demo-production',
  '/admin/environments/demo-production?tab=history',
  '/admin/environments/demo-production?tab=events',
  '/admin/environments/demo-production?tab=rules',
  '/admin/environments/demo-customers',
  '/admin/environments/demo-production/snapshots/13',
  '/admin/compare?a=demo-production&b=demo-staging',
  '/admin/compare',
  '/admin/deployments',
  '/admin/flows',
  '/admin/flows/demo-web',
  '/admin/flows/demo-web?tab=artifacts',
  '/admin/flows/demo-web?tab=about',
  '/admin/flows/demo-web/trails/build-9',
  '/admin/flows/demo-checkout/trails/build-5',
  `/admin/flows/demo-web/artifacts/${FINGERPRINT}`,
  '/admin/repositories',
  `/admin/repositories/${encodeURIComponent('acme/shop-web')}`,
  '/admin/policies',
  '/admin/policies/demo-release',
  '/admin/controls',
  '/admin/controls/DEMO-CC8.1',
  '/admin/attestation-types',
  '/admin/attestation-types/demo-coverage',
  '/admin/notifications',
  '/admin/notifications/1',
  '/admin/settings/members',
  '/admin/settings/log',
  '/admin/settings/service-accounts',
  '/admin/settings/keys',
  '/admin/settings/organizations',
  '/admin/search?q=demo',
  `/admin/search?q=${FINGERPRINT.slice(0, 10)}`,
  '/admin/no-such-page',
] as const;
