import { CloudEvent, Kafka as binding } from 'cloudevents';
import type { PublicEvent } from '@assurance/contracts/notifications/events';
import type { TextMessage } from './message';

/**
 * Converts a public event to a message: CloudEvents 1.0 in JSON, structured. The message gets the time of its
 * publication. By default the library would set the time of the event. Then brokers would delete events that are older
 * than the retention of the topic.
 */
export function cloudEventMessage({ id, source, type, subject, at, key, data }: PublicEvent): TextMessage {
  const time = new Date(at).toISOString();
  const event = new CloudEvent({
    id,
    source,
    type,
    subject,
    time,
    data,
    datacontenttype: 'application/json',
    partitionkey: key,
  });
  const { value, headers } = binding.structured(event);
  return { key, value: value as string, headers: headers as TextMessage['headers'] };
}
