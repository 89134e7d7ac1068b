/** Services behind a gateway, with the setting that names their address. */
const SERVICES = {
  ingestion: 'ASSURANCE_INGESTION_URL',
  projection: 'ASSURANCE_PROJECTION_URL',
  'audit-package': 'ASSURANCE_AUDIT_PACKAGE_URL',
  'notification-dispatcher': 'ASSURANCE_NOTIFICATION_DISPATCHER_URL',
} as const;

/** A built program that serves HTTP. */
export type App = 'standalone' | 'gateway' | keyof typeof SERVICES;

/**
 * Starts one of each service that gateways forward to.
 *
 * @param start starts a program, and returns where it listens
 * @returns the settings that tell a gateway where they listen
 */
export async function startServices(start: (app: App) => Promise<string>): Promise<Record<string, string>> {
  const apps = Object.entries(SERVICES) as [keyof typeof SERVICES, string][];
  return Object.fromEntries(
    await Promise.all(apps.map(async ([app, setting]) => [setting, await start(app)] as const)),
  );
}
