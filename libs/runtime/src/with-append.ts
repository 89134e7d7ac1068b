import type { EventStore } from '@assurance/storage-ports';

/** An event store with another `append`. It lists every method, because a spread does not copy the methods of a prototype. */
export function withAppend(events: EventStore, append: EventStore['append']): EventStore {
  return {
    append,
    newest: (stream) => events.newest(stream),
    read: (stream, from, limit) => events.read(stream, from, limit),
    bySnapshot: (stream, snapshot) => events.bySnapshot(stream, snapshot),
    asOf: (stream, at) => events.asOf(stream, at),
    recentOf: (actor, since, kinds) => events.recentOf(actor, since, kinds),
    scan: (after, limit) => events.scan(after, limit),
    putData: (org, text) => events.putData(org, text),
    readData: (org, digest) => events.readData(org, digest),
    dropData: (stream, seq, digests) => events.dropData(stream, seq, digests),
    removeStream: (stream) => events.removeStream(stream),
    removeData: (org, digest, size) => events.removeData(org, digest, size),
  };
}
