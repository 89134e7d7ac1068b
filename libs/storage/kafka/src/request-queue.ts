/** The used part of the queue that kafkajs has for each connection. */
export interface RequestQueue {
  /** Requests that wait to be sent. */
  readonly pending: readonly unknown[];
  scheduleCheckPendingRequests(): void;
}

// eslint-disable-next-line @typescript-eslint/no-require-imports -- kafkajs has no types for its inside
const { prototype } = require('kafkajs/src/network/requestQueue') as { readonly prototype: RequestQueue };
const schedule = prototype.scheduleCheckPendingRequests;

/**
 * Has kafkajs 2.2.4 look for waiting requests only while there are some. By default it looks a thousand times a second on each connection: while
 * nothing waits it computes a negative time for its timer. That took about 40 ms of CPU a second in an idle process.
 */
export function checkOnlyWaitingRequests(): void {
  prototype.scheduleCheckPendingRequests = function () {
    // A request that has to wait is followed by another call.
    if (this.pending.length > 0) schedule.call(this);
  };
}
