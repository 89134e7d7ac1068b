import { Room } from './room';

describe('a room', () => {
  it('takes as much as fits, and turns away what does not without taking a part of it', () => {
    const room = new Room(10);
    expect([room.take(4), room.take(6), room.take(1), room.take(0)]).toEqual([true, true, false, true]);
    room.leave(4);
    expect([room.take(5), room.take(4), room.take(1)]).toEqual([false, true, false]);
  });

  it('lets in what is larger than itself only while it is empty', () => {
    const room = new Room(10);
    expect([room.take(11), room.take(1)]).toEqual([true, false]);
    room.leave(11);
    expect([room.take(1), room.take(11)]).toEqual([true, false]);
  });
});
