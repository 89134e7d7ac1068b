import { Module } from '@nestjs/common';
import {
  CommandBus,
  CommandHandler,
  CqrsModule,
  type ICommandHandler,
  type IQueryHandler,
  QueryBus,
  QueryHandler,
} from '@nestjs/cqrs';
import { NestFactory } from '@nestjs/core';
import { commandOf, queryOf } from './message';

describe('messages', () => {
  class Double extends queryOf<{ number: number }, number>() {}
  class Halve extends queryOf<{ number: number }, number>() {}
  class Rename extends commandOf<{ from: string; to?: string }, string>() {}

  @QueryHandler(Double)
  class DoubleHandler implements IQueryHandler<Double> {
    execute({ number }: Double) {
      return Promise.resolve(number * 2);
    }
  }

  @QueryHandler(Halve)
  class HalveHandler implements IQueryHandler<Halve> {
    execute({ number }: Halve) {
      return Promise.resolve(number / 2);
    }
  }

  @CommandHandler(Rename)
  class RenameHandler implements ICommandHandler<Rename> {
    execute({ from, to = 'nothing' }: Rename) {
      return Promise.resolve(`${from} to ${to}`);
    }
  }

  @Module({ imports: [CqrsModule.forRoot()], providers: [DoubleHandler, HalveHandler, RenameHandler] })
  class MessagesModule {}

  it('have the fields that they were made with', () => {
    const query = new Double({ number: 2 });
    expect(query).toBeInstanceOf(Double);
    expect(query).not.toBeInstanceOf(Halve);
    expect({ ...query }).toEqual({ number: 2 });
  });

  it('reach the handler of their class, whose answer has their type', async () => {
    const app = await NestFactory.createApplicationContext(MessagesModule, { logger: false });
    const doubled: number = await app.get(QueryBus).execute(new Double({ number: 4 }));
    const halved: number = await app.get(QueryBus).execute(new Halve({ number: 4 }));
    const renamed: string = await app.get(CommandBus).execute(new Rename({ from: 'one' }));
    expect([doubled, halved, renamed]).toEqual([8, 2, 'one to nothing']);
    await app.close();
  });

  it('refuse other fields at compile time', () => {
    // @ts-expect-error: a field is missing
    expect({ ...new Double({}) }).toEqual({});
    // @ts-expect-error: an unknown field
    expect(new Double({ number: 1, text: '' }).number).toBe(1);
  });
});
