import type { FlowTemplate } from '@assurance/contracts/flows/events';
import { BrokenRecord } from '@assurance/event-sourcing/sealing/read';
import { type Documents, getAll } from '@assurance/storage-ports';
import { flowTemplates } from '../domain/flow';

/** @throws BrokenRecord */
export function there<T>(found: T | null | undefined, what: string): T {
  if (found === null || found === undefined) throw new BrokenRecord(`${what} is gone`);
  return found;
}

/**
 * Templates by their ids.
 *
 * @throws BrokenRecord
 */
export async function templatesOf(
  documents: Documents,
  ids: readonly string[],
): Promise<(templateId: string) => FlowTemplate> {
  const found = await getAll(documents.collection(flowTemplates), ids);
  return (id) => there(found.get(id), `the template ${id}`).template;
}
