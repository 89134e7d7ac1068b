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
 * Makes kafkajs 2.2.4 check for waiting requests only while there are some. By default it checks a thousand times a second on each connection,
 * because it computes a negative time for its timer while no request waits. That took about 40 ms of CPU a second in an idle process.
 */
export function checkOnlyWaitingRequests(): void {
  prototype.scheduleCheckPendingRequests = function () {
    // If a request has to wait later, kafkajs calls this again.
    if (this.pending.length > 0) schedule.call(this);
  };
}
