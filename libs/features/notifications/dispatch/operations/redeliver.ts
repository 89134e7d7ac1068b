import { holderOf } from '@assurance/access/lookups/named';
import { NO_ORGANIZATION } from '@assurance/contracts/events/streams';
import { type Operation, OperationRefused, type Outcome } from '@assurance/event-sourcing/operation';
import { CLOCK, type Clock, PORTS, type Ports } from '@assurance/event-sourcing/tokens';
import { Inject, Injectable } from '@nestjs/common';
import { Dispatcher } from '../dispatcher';

/** Sends dead messages again. */
@Injectable()
export class Redeliver implements Operation {
  readonly name = 'redeliver';
  readonly usage = '<organization> <notification number> [<delivery>]';
  readonly summary = 'sends dead messages of a notification again, or one of them';

  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly dispatcher: Dispatcher,
  ) {}

  async run([org, number, delivery, ...more]: readonly string[]): Promise<Outcome> {
    if (org === undefined || number === undefined || !/^[1-9][0-9]{0,14}$/.test(number) || more.length > 0) {
      throw new OperationRefused(`redeliver takes ${this.usage}.`);
    }
    const id = await holderOf(this.ports.documents, NO_ORGANIZATION, 'account', org);
    if (id === null) throw new OperationRefused(`There is no organization ${org}.`);
    const count = await this.dispatcher.ledger.revive(id, Number(number), delivery ?? null, this.clock.now());
    this.dispatcher.wake();
    const summary = `${count} dead message${count === 1 ? ' is' : 's are'} sent again.`;
    return { ok: true, summary, details: { messages: count } };
  }
}
