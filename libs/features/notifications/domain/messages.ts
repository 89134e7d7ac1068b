import type { EventType, Message, MessageItem } from './message';

/** The most events that one message lists. The message also has the number of all events. */
export const LISTED_MAX = 20;

export type MessageContext = Omit<Message, 'told' | 'counts'>;

/** One message for all events. */
export function digest(context: MessageContext, all: readonly MessageItem[]): Message {
  const counts = new Map<EventType, number>();
  for (const { type } of all) counts.set(type, (counts.get(type) ?? 0) + 1);
  return { ...context, told: all.slice(0, LISTED_MAX).map(essentialFields), counts: Object.fromEntries(counts) };
}

/** One message for each event. */
export function messagePerEvent(context: MessageContext, all: readonly MessageItem[]): Message[] {
  return all.map((item) => ({ ...context, told: [essentialFields(item)], counts: { [item.type]: 1 } }));
}

/** The content of a test message. */
export function testMessage(context: MessageContext): Message {
  const description = `This is a test of the notification ${context.notification}`;
  return { ...context, told: [{ type: 'TEST', description, artifact: null }], counts: { TEST: 1 } };
}

function essentialFields({ type, description, artifact, attestation, key, vulnerability }: MessageItem): MessageItem {
  const more = {
    ...(attestation === undefined ? {} : { attestation }),
    ...(key === undefined ? {} : { key }),
    ...(vulnerability === undefined ? {} : { vulnerability }),
  };
  return { type, description, artifact, ...more };
}
