import type { CollectionDefinition, Documents } from '@assurance/storage-ports';

const lastBackup: CollectionDefinition<{ readonly at: number }> = { name: 'last_backup', indexes: [] };
const ID = 'whole';

/** Records that everything was backed up. @param at milliseconds since 1970 */
export async function noteBackup(documents: Documents, at: number): Promise<void> {
  await documents.collection(lastBackup).write([{ kind: 'put', id: ID, doc: { at } }]);
}

/** When everything was last backed up; before the first backup, the time of the first call (milliseconds since 1970). */
export async function lastBackupAt(documents: Documents, now: number): Promise<number> {
  const noted = documents.collection(lastBackup);
  const current = await noted.get(ID);
  if (current !== null) return current.at;
  await noted.merge([ID], (other) => (other === null ? { at: now } : undefined));
  return (await noted.get(ID))?.at ?? now;
}
