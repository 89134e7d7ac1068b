import type { FlowTemplate } from '@assurance/contracts/flows/events';
import { BrokenRecord } from '@assurance/event-sourcing/sealing/read';
import { type Documents, getAll } from '@assurance/storage-ports';
import { flowTemplates } from '../domain/flow';

/** @throws BrokenRecord */
export function requireRecord<T>(value: T | null | undefined, description: string): T {
  if (value === null || value === undefined) throw new BrokenRecord(`${description} is gone`);
  return value;
}

/**
 * Reads templates by their ids.
 *
 * @throws BrokenRecord
 */
export async function templatesOf(
  documents: Documents,
  ids: readonly string[],
): Promise<(templateId: string) => FlowTemplate> {
  const results = await getAll(documents.collection(flowTemplates), ids);
  return (id) => requireRecord(results.get(id), `the template ${id}`).template;
}
