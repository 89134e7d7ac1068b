import type { AttestationEvent } from '@assurance/contracts/evidence/events';
import { commitAt, storedText } from '@assurance/event-sourcing/sealing/read';
import type { EventStore } from '@assurance/storage-ports';

const PAYLOAD: AttestationEvent['type'] = 'AttestationPayloadKept';

/** Whether retention removed a payload of the commit of an attestation. */
export async function isPayloadGone(
  store: EventStore,
  { stream, seq }: { readonly stream: string; readonly seq: number },
): Promise<boolean> {
  const commit = await commitAt(store, stream, seq);
  const payloads = commit.events.filter(({ type }) => type === PAYLOAD);
  const texts = await Promise.all(payloads.map((event) => storedText(store, commit, event)));
  return texts.includes(null);
}
