import type { KafkaMessage, Message } from 'kafkajs';
import { type Commit, setTrace, traceOf } from '@assurance/storage-ports';

/**
 * A commit as a message: CloudEvents 1.0 in JSON, structured. The key is the stream, so that all commits of a stream
 * are in one partition, in order.
 */
interface CloudEvent {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: string;
  readonly type: typeof TYPE;
  readonly subject: string;
  readonly time: string;
  readonly datacontenttype: 'application/json';
  readonly data: Commit;
}

const TYPE = 'assurance.commit.v1';
const CONTENT_TYPE = 'application/cloudevents+json; charset=utf-8';

export function messageOf(commit: Commit): TextMessage {
  const event: CloudEvent = {
    specversion: '1.0',
    id: commit.id,
    source: `/organizations/${encodeURIComponent(commit.org)}`,
    type: TYPE,
    subject: commit.stream,
    time: new Date(commit.at).toISOString(),
    datacontenttype: 'application/json',
    data: commit,
  };
  const traceparent = traceOf(commit);
  const headers = { 'content-type': CONTENT_TYPE, ...(traceparent === null ? {} : { traceparent }) };
  return { key: commit.stream, value: JSON.stringify(event), headers };
}

/**
 * The commit of a message.
 *
 * @throws Error for a message of another program that writes to the topic
 */
export function commitOf({ value, headers }: Pick<KafkaMessage, 'value' | 'headers'>): Commit {
  const event = JSON.parse(value?.toString('utf8') ?? 'null') as Partial<CloudEvent> | null;
  if (event?.specversion !== '1.0' || event.type !== TYPE || event.data === undefined) {
    throw new Error(`a message of the feed is no ${TYPE}`);
  }
  setTrace(event.data, headers?.['traceparent']?.toString());
  return event.data;
}

/** A message with a text as key and a text as value. */
export interface TextMessage extends Message {
  readonly key: string;
  readonly value: string;
}
