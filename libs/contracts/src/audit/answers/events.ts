import { component, flag, list, named, type TypeOf, type Shape, text } from '../../http/shape';

/** A CloudEvent in JSON. */
const cloudEvent = component('CloudEvent', {
  specversion: text('`1.0`.'),
  id: text('The same event always has the same id.'),
  source: text('`/organizations/{org}`.'),
  type: text(),
  subject: text(),
  time: text('When it happened (RFC 3339).'),
  datacontenttype: text(),
  partitionkey: text('The organization.'),
  data: named('CloudEventData', {
    schema: { type: 'object', description: 'By the schema of its type.', additionalProperties: true },
  } as Shape<object>),
});
export type CloudEventAnswer = TypeOf<typeof cloudEvent>;

export const eventFeed = component('EventFeed', {
  events: list(cloudEvent),
  cursor: text('Where the next request goes on.'),
  more: flag('Whether more is there already.'),
  reset: flag('The cursor is of an order that was made again: the answer begins at the first event.'),
});
export type EventFeedAnswer = TypeOf<typeof eventFeed>;
