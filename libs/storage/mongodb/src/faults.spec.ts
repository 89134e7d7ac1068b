import {
  MongoBulkWriteError,
  MongoNetworkError,
  MongoServerError,
  MongoTopologyClosedError,
  MongoUnexpectedServerResponseError,
  MongoWriteConcernError,
} from 'mongodb';
import { StoreFull, StoreUnavailable } from '@assurance/storage-ports';
import { duplicatesIn, isPassing, portErrorOf } from './faults';

const NO_CONCERN = { getWriteConcernError: () => undefined } as ConstructorParameters<typeof MongoBulkWriteError>[1];

function ofSystem(code: string): Error {
  return Object.assign(new Error('This socket has been ended by the other party'), { code });
}

/** The driver's error of an unordered write with a number of failed operations. */
function ofWrites(...codes: readonly number[]): MongoBulkWriteError {
  const writeErrors = codes.map((code, index) => ({ code, index, errmsg: 'no' })) as never[];
  return new MongoBulkWriteError({ message: 'no', code: codes[0]!, writeErrors }, NO_CONCERN);
}

describe('what a driver throws while a primary is replaced', () => {
  const concern = { code: 64, errmsg: 'waiting for replication timed out' };
  it.each([
    ['a broken connection', new MongoNetworkError('connection 2 closed')],
    ['a write to a connection that the server has just ended', ofSystem('EPIPE')],
    ['a connection that breaks under a long write', ofSystem('ECONNRESET')],
    ['one of them inside a bulk write', new MongoBulkWriteError(ofSystem('EPIPE'), NO_CONCERN)],
    ['a broken connection inside a bulk write', new MongoBulkWriteError(new MongoNetworkError('gone'), NO_CONCERN)],
    ['not the primary', new MongoServerError({ errmsg: 'not primary', code: 10107 })],
    ['no majority known yet', new MongoServerError({ errmsg: 'majority reads are not possible', code: 134 })],
    ['a cursor of a server that was started again', new MongoServerError({ errmsg: 'cursor not found', code: 43 })],
    ['no majority in time', new MongoWriteConcernError({ ok: 1, writeConcernError: concern })],
    ['one of several operations met a primary that steps down', ofWrites(11000, 10107)],
    ['a label', new MongoServerError({ errmsg: 'try again', errorLabels: ['RetryableWriteError'] })],
    ['a server that changed its part', new MongoUnexpectedServerResponseError('no retryable writes')],
  ])('may pass: %s', (_, error) => {
    expect(isPassing(error)).toBe(true);
    expect(portErrorOf(error)).toEqual(expect.any(StoreUnavailable));
    expect(portErrorOf(error)).toHaveProperty('cause', error);
    expect(() => duplicatesIn(error)).toThrow(error);
  });
});

describe('what does not pass', () => {
  it.each([
    ['a fault of our own', new TypeError('x is undefined')],
    ['a file that is not there', ofSystem('ENOENT')],
    ['a wrong query', new MongoServerError({ errmsg: 'unknown operator', code: 2 })],
    ['an operation that is wrong', ofWrites(11000, 2)],
  ])('is handed on: %s', (_, error) => {
    expect(isPassing(error)).toBe(false);
    expect(portErrorOf(error)).toBe(error);
    expect(() => duplicatesIn(error)).toThrow(error);
  });

  it('is a duplicate key, which tells where it was met', () => {
    expect(duplicatesIn(ofWrites(11000, 11000))).toEqual([0, 1]);
  });

  it('is a connection that this process closed, and no room on disk', () => {
    const closed = new MongoTopologyClosedError();
    expect(isPassing(closed)).toBe(false);
    expect(portErrorOf(closed)).toEqual(expect.any(StoreUnavailable));
    expect(portErrorOf(new MongoServerError({ errmsg: 'out of disk', code: 14031 }))).toEqual(expect.any(StoreFull));
  });
});
